// Lets valkey-go's package valkeyprob make a Bloom filter in a server, and writes what it left there.
//
//	valkeyprob SOCKET N P ABSENT FILTER LIST
//
// SOCKET is the Unix socket of a Redis or Valkey server. The filter is made for N keys with
// false-positive rate P and receives key:0 … key:<N - 1>. FILTER receives the string at the filter's
// key. LIST receives, one a line, each i < ABSENT for which ExistsMulti() does not rule out absent:<i>.
package main

import (
	"bufio"
	"context"
	"crypto/tls"
	"fmt"
	"log"
	"net"
	"os"
	"strconv"

	"github.com/valkey-io/valkey-go"
	"github.com/valkey-io/valkey-go/valkeyprob"
)

const (
	batch = 1000
	name  = "valkeyprob"
)

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}

func number(text string) int {
	n, err := strconv.Atoi(text)
	check(err)
	return n
}

// batches calls use() with prefix:0 … prefix:<count - 1>, some keys at a time.
func batches(prefix string, count int, use func(first int, keys []string)) {
	for first := 0; first < count; first += batch {
		var keys []string
		for i := first; i < count && i < first+batch; i++ {
			keys = append(keys, prefix+":"+strconv.Itoa(i))
		}
		use(first, keys)
	}
}

func main() {
	log.SetFlags(0)
	if len(os.Args) != 7 {
		log.Fatal("usage: valkeyprob SOCKET N P ABSENT FILTER LIST")
	}
	socket, keys, absent := os.Args[1], number(os.Args[2]), number(os.Args[4])
	rate, err := strconv.ParseFloat(os.Args[3], 64)
	check(err)

	client, err := valkey.NewClient(valkey.ClientOption{
		InitAddress:       []string{socket},
		ForceSingleClient: true,
		DisableCache:      true,
		DialCtxFn: func(ctx context.Context, path string, dialer *net.Dialer, _ *tls.Config) (net.Conn, error) {
			return dialer.DialContext(ctx, "unix", path)
		},
	})
	check(err)
	defer client.Close()

	ctx := context.Background()
	filter, err := valkeyprob.NewBloomFilter(client, name, uint(keys), rate)
	check(err)
	check(filter.Delete(ctx))
	batches("key", keys, func(_ int, items []string) { check(filter.AddMulti(ctx, items)) })

	bitmap, err := client.Do(ctx, client.B().Get().Key("{"+name+"}").Build()).AsBytes()
	check(err)
	check(os.WriteFile(os.Args[5], bitmap, 0o644))

	batches("key", keys, func(first int, items []string) {
		answers, err := filter.ExistsMulti(ctx, items)
		check(err)
		for i, found := range answers {
			if !found {
				log.Fatalf("the filter denies key:%d", first+i)
			}
		}
	})

	file, err := os.Create(os.Args[6])
	check(err)
	list := bufio.NewWriter(file)
	batches("absent", absent, func(first int, items []string) {
		answers, err := filter.ExistsMulti(ctx, items)
		check(err)
		for i, found := range answers {
			if found {
				fmt.Fprintln(list, first+i)
			}
		}
	})
	check(list.Flush())
	check(file.Close())
	check(filter.Delete(ctx))
}
