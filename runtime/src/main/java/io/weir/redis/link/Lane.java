package io.weir.redis.link;

import io.weir.Ticker;
import io.weir.redis.address.Endpoint;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Function;

/**
 * The way to one master: some links, as many threads, and what waits for them.
 *
 * <p>Safe for concurrent use.
 */
final class Lane {
  private final int number;
  private final Topology topology;
  private final Function<Endpoint, Link> opener;
  private final Linker linker;
  private final Executor threads;
  private final int most;
  private final Ticker ticker;
  private final long patience;
  private volatile Optional<Failure> broken = Optional.empty();
  private final ConcurrentLinkedDeque<Link> idle = new ConcurrentLinkedDeque<>();

  Lane(
      int number,
      Topology topology,
      Function<Endpoint, Link> opener,
      Linker linker,
      Executor threads,
      int most,
      Ticker ticker,
      Duration patience) {
    this.number = number;
    this.topology = topology;
    this.opener = opener;
    this.linker = linker;
    this.threads = threads;
    this.most = most;
    this.ticker = ticker;
    this.patience = patience.toNanos();
  }

  /** Completed, never exceptionally, when each call has its reply or its failure. */
  CompletionStage<?> send(List<Call> calls) {
    CompletableFuture<Void> done = new CompletableFuture<>();
    long since = ticker.nanoTime();
    try {
      threads.execute(
          () -> {
            try {
              execute(calls, since);
            } finally {
              done.complete(null);
            }
          });
    } catch (RejectedExecutionException full) {
      fail(calls, Failure.away("too much waits for Redis, or it is closed"));
      done.complete(null);
    }
    return done;
  }

  /** Opens all links; completed, never exceptionally, with what kept it from it. */
  CompletionStage<Optional<Failure>> connect() {
    CompletableFuture<Optional<Failure>> done = new CompletableFuture<>();
    try {
      threads.execute(() -> done.complete(open()));
    } catch (RejectedExecutionException full) {
      done.complete(Optional.of(Failure.away("too much waits for Redis, or it is closed")));
    }
    return done;
  }

  private Optional<Failure> open() {
    List<Link> open = new ArrayList<>();
    try {
      while (open.size() < most) {
        open.add(link()); // one that rests, as long as there is one
      }
      return Optional.empty();
    } catch (LinkException e) {
      return Optional.of(e.failure());
    } catch (RuntimeException odd) {
      return Optional.of(Failure.away(odd.toString()));
    } finally {
      open.forEach(this::rest);
    }
  }

  /** A thread that was quicker may have opened one meanwhile. */
  private void rest(Link link) {
    if (idle.size() < most) {
      idle.push(link);
    } else {
      linker.drop(link);
    }
  }

  private void execute(List<Call> calls, long since) {
    if (ticker.nanoTime() - since > patience) {
      String why = broken.map(last -> "; the last one: " + last.text()).orElse("");
      fail(calls, Failure.away("waited too long for a connection" + why));
      return;
    }
    try {
      run(calls);
      broken = Optional.empty();
    } catch (LinkException e) {
      broke(calls, e.failure());
    } catch (RuntimeException | Error odd) { // which would only end this thread
      broke(calls, Failure.away(odd.toString()));
    }
    if (topology.redirects()) {
      follow(calls, Trouble.MOVED);
      follow(calls, Trouble.ASK);
    } else {
      calls.forEach(this::tellOfCluster);
    }
  }

  private void broke(List<Call> calls, Failure why) {
    broken = Optional.of(why);
    leave(calls, why);
    drop();
  }

  /** Whoever is sent elsewhere, or may not name keys of several slots, talks to a cluster. */
  private void tellOfCluster(Call call) {
    boolean cluster =
        call.met(Trouble.MOVED) || call.met(Trouble.ASK) || call.met(Trouble.CROSSSLOT);
    if (cluster) {
      String said = call.failure().map(Failure::text).orElse("");
      String where = ", says Redis at " + topology.find(number) + ", one node of a cluster";
      String text = said + where + ": begin weir.store with redis-cluster://";
      call.failed(new Failure(Trouble.CROSSSLOT, text));
    }
  }

  /** Says why those calls have no answer that have none. */
  private static void leave(List<Call> calls, Failure why) {
    calls.stream().filter(each -> each.met(Trouble.AWAY)).forEach(each -> each.failed(why));
  }

  private static void fail(List<Call> calls, Failure why) {
    calls.forEach(each -> each.failed(why));
  }

  private void run(List<Call> calls) {
    Link link = link();
    boolean sound = false;
    try {
      linker.run(link, calls, false);
      // An error that nobody knows may be about half a command: then the answers are out of step,
      // and the next call would take those of this one for its own.
      sound = calls.stream().noneMatch(each -> each.met(Trouble.OTHER));
    } finally {
      if (sound && topology.knows(number, link.endpoint())) {
        rest(link);
      } else {
        linker.drop(link);
      }
    }
  }

  private Link link() {
    for (Link link = idle.poll(); link != null; link = idle.poll()) {
      if (topology.knows(number, link.endpoint()) && linker.works(link)) {
        return link;
      }
      linker.drop(link);
    }
    Link link = opener.apply(topology.find(number));
    boolean checked = false;
    try {
      topology.check(link);
      checked = true;
      return link;
    } finally {
      if (!checked) {
        linker.drop(link);
      }
    }
  }

  /** Calls that another master must execute are known not to be executed; once, so no circles. */
  private void follow(List<Call> calls, Trouble redirection) {
    Map<Endpoint, List<Call>> targets = new LinkedHashMap<>();
    for (Call call : calls) {
      if (call.met(redirection)) {
        target(call)
            .ifPresent(to -> targets.computeIfAbsent(to, any -> new ArrayList<>()).add(call));
      }
    }
    if (!targets.isEmpty()) {
      topology.doubt();
    }
    targets.forEach((to, these) -> runAt(to, these, redirection == Trouble.ASK));
  }

  private void runAt(Endpoint target, List<Call> calls, boolean asking) {
    try {
      Link link = opener.apply(target);
      try {
        linker.run(link, calls, asking);
      } finally {
        linker.drop(link);
      }
    } catch (LinkException e) {
      leave(calls, e.failure());
    } catch (RuntimeException | Error odd) {
      leave(calls, Failure.away(odd.toString()));
    }
  }

  /** From MOVED or ASK, the slot, and host:port; without the host, the one that was asked. */
  private Optional<Endpoint> target(Call call) {
    String[] words = call.failure().map(Failure::text).orElse("").split(" ", -1);
    String where = words[words.length - 1];
    int colon = where.lastIndexOf(':');
    if (colon < 0 || !where.substring(colon + 1).matches("[0-9]{1,5}")) {
      return Optional.empty();
    }
    String host = where.substring(0, colon);
    return Endpoint.of(
        host.isEmpty() || host.equals("?") ? topology.find(number).host() : host,
        Long.parseLong(where.substring(colon + 1)));
  }

  /** Ends the links that rest, and has the next one led to where the master is then. */
  void drop() {
    topology.doubt();
    for (Link link = idle.poll(); link != null; link = idle.poll()) {
      linker.drop(link);
    }
  }
}
