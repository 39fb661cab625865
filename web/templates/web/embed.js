// <tabularium-table game="game_…" server="{{ origin|escapejs }}"></tabularium-table>
export * from "{{ origin|escapejs }}{{ assets }}/table.js";
