/** All pages but the table and the verification: the one that the shell names is shown. */

import { page as guide } from "./guide.js";
import { page as home } from "./home.js";
import { page as join } from "./join.js";
import { page as me } from "./me.js";
import { page as missing } from "./missing.js";
import { page as newGame } from "./new.js";
import { page as player } from "./player.js";
import { page as ratings } from "./ratings.js";
import { page as record } from "./record.js";
import { page as rules } from "./rules.js";
import { addressed, show } from "./site.js";

const PAGES = /** @type {Record<string, () => Promise<any>>} */ ({ guide, home, join, me, missing, new: newGame, player, ratings, record, rules });

show(/** @type {() => Promise<any>} */ (PAGES[addressed("page")]));
