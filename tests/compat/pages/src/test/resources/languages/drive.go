// Asks for each argument: a user, or "user@/path". Prints what the client answers.
package main

import (
	"context"
	"fmt"
	"os"
	"strings"
	"time"

	"example.org/shop/weir"
)

func main() {
	token, err := os.ReadFile("token")
	if err != nil {
		panic(err)
	}
	whenAway := weir.Closed
	if os.Args[2] == "open" {
		whenAway = weir.Open
	}
	timeout, err := time.ParseDuration(os.Args[3] + "s")
	if err != nil {
		panic(err)
	}
	client := weir.New("http://127.0.0.1:"+os.Args[1], string(token), whenAway, timeout)
	for _, word := range os.Args[4:] {
		user, path, found := strings.Cut(word, "@")
		if !found {
			path = "/api/posts"
		}
		answer := client.Check(context.Background(), weir.Request{UserID: user, Endpoint: path, Method: "GET"})
		if answer.Allowed {
			fmt.Println("admitted")
		} else {
			fmt.Println("refused", answer.RetryAfter)
		}
	}
}
