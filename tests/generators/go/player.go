// Whole games with the client of openapi-generator: `player ADDRESS`.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"math/rand"
	"net/http"
	"os"
	"reflect"

	client "github.com/GIT_USER_ID/GIT_REPO_ID"
)

const wait = "wait=20"

// got is the result of a call; a failure ends the program with the problem that the server named.
func got[T any](result T, reply *http.Response, failure error) T {
	if failure != nil {
		body := ""
		if reply != nil {
			text, _ := io.ReadAll(reply.Body)
			body = string(text)
		}
		log.Fatalf("%v: %s", failure, body)
	}
	return result
}

// sent is a value as the client sends it.
func sent(value any) any {
	text, failure := json.Marshal(value)
	if failure != nil {
		log.Fatal(failure)
	}
	return parsed(text)
}

func parsed(text []byte) any {
	var document any
	if failure := json.Unmarshal(text, &document); failure != nil {
		log.Fatal(failure)
	}
	return document
}

func need(condition bool, sentence string) {
	if !condition {
		log.Fatal(sentence)
	}
}

func play(api *client.APIClient, ctx context.Context, rules client.Rules) string {
	me := client.NewNewSeat(client.NEWSEATKIND_ME)
	body := client.NewNewGame(rules.Slug, []client.NewSeat{*me})
	for seat := int32(1); seat < rules.Seats.Fewest; seat++ {
		bot := client.NewNewSeat(client.NEWSEATKIND_BOT)
		bot.SetBot("random")
		body.Seats = append(body.Seats, *bot)
	}
	table := got(api.GamesAPI.CreateGame(ctx).NewGame(*body).Prefer(wait).Execute())
	chance := rand.New(rand.NewSource(int64(len(rules.Slug))))
	for table.Phase != client.PHASE_OVER {
		if choice, isOpen := table.GetChoiceOk(); isOpen && choice != nil && choice.IsAwaited {
			action := client.NewNewActions(choice.Seat)
			action.SetChoice(choice.Token)
			action.SetAction(choice.Offers[chance.Intn(len(choice.Offers))].GetAction())
			got(api.GamesAPI.Act(ctx, table.Id).NewActions(*action).Prefer(wait).Execute())
		} else {
			got(api.GamesAPI.Log(ctx, table.Id).After(table.Seq).Limit(1).Prefer(wait).Execute())
		}
		table = got(api.GamesAPI.Game(ctx, table.Id).Execute())
		roundTrips(api, ctx, table)
	}
	outcome, isOver := table.GetResultOk()
	need(isOver && outcome != nil && len(outcome.Winners) > 0, "there is no result")
	options := table.GetOptions()
	need(sent(options).(map[string]any)["type"] == fmt.Sprintf("%s.options.v%d", rules.Slug, rules.Version), "options of other rules")
	again := client.NewNewGame(rules.Slug, body.Seats)
	text, _ := json.Marshal(options)
	newOptions := client.NewOptions{}
	if failure := json.Unmarshal(text, &newOptions); failure != nil {
		log.Fatal(failure)
	}
	again.SetOptions(newOptions)
	second := got(api.GamesAPI.CreateGame(ctx).NewGame(*again).Execute())
	need(reflect.DeepEqual(sent(second.GetOptions()), sent(options)), "other options")
	return outcome.Reason
}

// roundTrips asks for the game once more, and compares its options and its view with what the client makes of them.
func roundTrips(api *client.APIClient, ctx context.Context, table *client.GameView) {
	game, reply, failure := api.GamesAPI.Game(ctx, table.Id).Execute()
	need(failure == nil, fmt.Sprint(failure))
	text, _ := io.ReadAll(reply.Body)
	raw := parsed(text).(map[string]any)
	for name, value := range map[string]any{"options": game.GetOptions(), "view": game.GetView()} {
		need(reflect.DeepEqual(sent(value), raw[name]), name+" do not come back as they were sent")
	}
}

func main() {
	settings := client.NewConfiguration()
	settings.Servers = client.ServerConfigurations{{URL: os.Args[1]}}
	api := client.NewAPIClient(settings)
	name := client.NewGuestRequest()
	name.SetName("Ada")
	guest := got(api.GuestsAPI.CreateGuest(context.Background()).GuestRequest(*name).Execute())
	ctx := context.WithValue(context.Background(), client.ContextAccessToken, guest.Secret)
	for _, rules := range got(api.RulesAPI.ListRules(ctx).Execute()).Items {
		fmt.Printf("openapi-generator: %s: %s\n", rules.Slug, play(api, ctx, rules))
	}
}
