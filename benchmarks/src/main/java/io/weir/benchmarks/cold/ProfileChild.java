package io.weir.benchmarks.cold;

import io.weir.annotation.Algorithm;
import io.weir.benchmarks.Heap;
import io.weir.benchmarks.redis.Contender;
import io.weir.benchmarks.redis.ScriptEach;
import io.weir.benchmarks.redis.WeirLimiter;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** A JVM in which one thread sends requests of new callers to one limiter, on demand. */
public final class ProfileChild {
  /** The limit of each caller per minute, of which it needs only one permit. */
  static final long LIMIT = 100;

  static final String SCRIPT = "script";
  private static final Path TASKS = Path.of("/proc/self/task");
  private static final String SWITCHES = "voluntary_ctxt_switches:";

  private final Contender contender;
  private int asked;

  private ProfileChild(Contender contender) {
    this.contender = contender;
  }

  /**
   * Warms up, and then executes the commands that it reads, line by line, until the input ends.
   *
   * @param args {@code script} or an algorithm of Weir's, the port of the Redis, and for how many
   *     milliseconds to warm up
   */
  public static void main(String[] args) throws IOException {
    int port = Integer.parseInt(args[1]);
    try (Contender contender = contender(args[0], port)) {
      ProfileChild child = new ProfileChild(contender);
      long until = System.nanoTime() + Long.parseLong(args[2]) * 1_000_000L;
      while (System.nanoTime() < until) {
        child.ask(100);
      }
      System.out.println("ready");
      child.obey();
    }
    System.exit(0);
  }

  private static Contender contender(String name, int port) {
    return name.equals(SCRIPT)
        ? new ScriptEach(port, 1, LIMIT)
        : WeirLimiter.hard(port, LIMIT, Algorithm.valueOf(name));
  }

  private void obey() throws IOException {
    BufferedReader in =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String line = in.readLine(); line != null; line = in.readLine()) {
      String[] words = line.split(" ");
      int requests = Integer.parseInt(words[1]);
      switch (words[0]) {
        case "ask" -> ask(requests);
        case "switches" -> switches(requests);
        case "objects" -> objects(requests);
        default -> throw new IllegalArgumentException(line);
      }
      System.out.println("done");
    }
  }

  private void ask(int requests) {
    for (int i = 0; i < requests; i++) {
      if (!contender.admits("caller-" + asked++)) {
        throw new IllegalStateException("a new caller is refused");
      }
    }
  }

  /** Reports how many threads went to sleep for requests, and how often all of them did. */
  private void switches(int requests) throws IOException {
    Map<Path, Long> before = sleeps();
    ask(requests);
    int threads = 0;
    long switches = 0;
    for (Map.Entry<Path, Long> each : sleeps().entrySet()) {
      long more = each.getValue() - before.getOrDefault(each.getKey(), 0L);
      threads += more > requests / 2 ? 1 : 0;
      switches += more;
    }
    System.out.println(threads + " " + (double) switches / requests);
  }

  private static Map<Path, Long> sleeps() throws IOException {
    Map<Path, Long> sleeps = new HashMap<>();
    try (Stream<Path> tasks = Files.list(TASKS)) {
      for (Path task : tasks.toList()) {
        sleeps.put(task, sleepsOf(task));
      }
    }
    return sleeps;
  }

  private static long sleepsOf(Path task) throws IOException {
    try {
      for (String line : Files.readAllLines(task.resolve("status"))) {
        if (line.startsWith(SWITCHES)) {
          return Long.parseLong(line.substring(SWITCHES.length()).strip());
        }
      }
    } catch (NoSuchFileException ended) {
      return 0;
    }
    return 0;
  }

  /** Reports which objects were made, and how many of each class. */
  private void objects(int requests) {
    Map<String, Heap.Kind> before = new HashMap<>();
    Heap.kindsWithTheDead().forEach(kind -> before.put(kind.name(), kind));
    ask(requests);
    List<Heap.Kind> after = Heap.kindsWithTheDead();
    for (Heap.Kind kind : after) {
      Heap.Kind old = before.getOrDefault(kind.name(), new Heap.Kind(kind.name(), 0, 0));
      double count = (double) (kind.count() - old.count()) / requests;
      double bytes = (double) (kind.bytes() - old.bytes()) / requests;
      System.out.println(kind.name() + " " + count + " " + bytes);
    }
    System.out.println();
  }
}
