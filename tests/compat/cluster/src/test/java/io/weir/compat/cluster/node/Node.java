package io.weir.compat.cluster.node;

import io.weir.Key;
import io.weir.Policy;
import io.weir.RateLimiter;
import io.weir.Weir;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.IntStream;

/**
 * The JVM of one node. It does what the lines on its standard input say, one after the other, and
 * answers each with lines that end with {@code done}; it ends with its input.
 *
 * <ul>
 *   <li>{@code open name=value …}: a new Weir of these settings; the one before is closed
 *   <li>{@code burst terms key requests threads at}: so many requests from each thread at that time
 *   <li>{@code start terms key keys threads pauseMicros}: requests until {@code stop}
 *   <li>{@code stop}: what was seen since {@code start}
 *   <li>{@code serve}: the port of a servlet container that the Weir guards
 *   <li>{@code wait terms key requests}: so many virtual threads, and another that counts
 *   <li>{@code close}: closes the Weir
 * </ul>
 */
public final class Node {
  private final PrintStream out;
  private Optional<Weir> weir = Optional.empty();
  private Optional<Crowd> crowd = Optional.empty();
  private Optional<Pages> pages = Optional.empty();

  private Node(PrintStream out) {
    this.out = out;
  }

  /** Runs until the input ends. */
  public static void main(String[] args) throws Exception {
    Node node = new Node(new PrintStream(System.out, false, StandardCharsets.UTF_8));
    BufferedReader in =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String line = in.readLine(); line != null; line = in.readLine()) {
      node.answer(List.of(line.split(" ")));
    }
    // Whatever hangs must not outlive the test.
    Runtime.getRuntime().halt(0);
  }

  // Failures are reported to the test, not to the log of this process.
  private void answer(List<String> words) {
    try {
      obey(words.get(0), words.subList(1, words.size())).forEach(out::println);
    } catch (Exception | Error failed) {
      failed.printStackTrace();
      out.println("failed " + failed.toString().replace('\n', ' '));
    }
    out.println("done");
    out.flush();
  }

  private List<String> obey(String command, List<String> words) throws Exception {
    return switch (command) {
      case "open" -> open(words);
      case "burst" -> burst(words);
      case "start" -> start(words);
      case "stop" -> crowd.orElseThrow().stop().report();
      case "serve" -> serve();
      case "wait" -> Waiting.of(limiter(), words).report();
      case "close" -> close();
      default -> throw new IllegalArgumentException(command);
    };
  }

  private List<String> open(List<String> words) throws IOException {
    close();
    Map<String, String> settings = new TreeMap<>();
    for (String word : words) {
      int equals = word.indexOf('=');
      settings.put(word.substring(0, equals), word.substring(equals + 1));
    }
    weir = Optional.of(Weir.builder().settings(settings).build());
    return List.of();
  }

  private List<String> burst(List<String> words) throws InterruptedException {
    Policy policy = Terms.parse(words).policy();
    List<String> rest = Terms.after(words);
    long requests = Long.parseLong(rest.get(1));
    int threads = Integer.parseInt(rest.get(2));
    long at = Long.parseLong(rest.get(3));
    Key key = Key.of(rest.get(0));
    List<Caller> callers =
        IntStream.range(0, threads)
            .mapToObj(each -> Caller.burst(limiter(), policy, key, each, at, requests))
            .toList();
    return new Crowd(callers).start().report();
  }

  private List<String> start(List<String> words) {
    Policy policy = Terms.parse(words).policy();
    List<String> rest = Terms.after(words);
    List<Key> keys =
        IntStream.range(0, Integer.parseInt(rest.get(1)))
            .mapToObj(each -> Key.of(rest.get(0) + "-" + each))
            .toList();
    long pause = Long.parseLong(rest.get(3)) * 1_000;
    List<Caller> callers =
        IntStream.range(0, Integer.parseInt(rest.get(2)))
            .mapToObj(each -> Caller.steady(limiter(), policy, keys, each, pause))
            .toList();
    crowd = Optional.of(new Crowd(callers).start());
    return List.of();
  }

  private List<String> serve() throws IOException {
    Pages served = Pages.start(weir.orElseThrow());
    pages = Optional.of(served);
    return List.of("port " + served.port());
  }

  private RateLimiter limiter() {
    return weir.orElseThrow().limiter();
  }

  private List<String> close() {
    pages.ifPresent(Pages::close);
    pages = Optional.empty();
    weir.ifPresent(Weir::close);
    weir = Optional.empty();
    return List.of();
  }
}
