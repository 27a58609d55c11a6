package io.weir.benchmarks.memory;

import io.weir.benchmarks.Heap;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/** A JVM whose node is flooded with keys on demand. */
public final class FloodChild {
  private static final Duration FLUSH = Duration.ofMillis(100);

  private FloodChild() {}

  /**
   * Answers each line {@code from to} with {@code nanoseconds admitted}, and {@code heap} with the
   * bytes in use after a collection, until there are no more.
   *
   * @param args the store's address, for how many buckets there is room, and the first number of
   *     the addresses
   */
  public static void main(String[] args) throws IOException {
    int network = Integer.parseInt(args[2]);
    BufferedReader lines =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    Node node = Node.of(args[0], Integer.parseInt(args[1]), FLUSH);
    System.out.println("ready");
    for (String line = lines.readLine(); line != null; line = lines.readLine()) {
      System.out.println(line.equals("heap") ? Heap.used() : flood(node, network, line));
    }
    System.exit(0);
  }

  private static String flood(Node node, int network, String range) {
    String[] words = range.split(" ");
    long start = System.nanoTime();
    long admitted = node.touch(network, Integer.parseInt(words[0]), Integer.parseInt(words[1]));
    return System.nanoTime() - start + " " + admitted;
  }
}
