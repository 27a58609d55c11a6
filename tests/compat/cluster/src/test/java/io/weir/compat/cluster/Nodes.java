package io.weir.compat.cluster;

import io.weir.Ticker;
import io.weir.compat.cluster.node.Terms;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Some JVMs, each a node of one cluster. Three start once and serve all tests of the module, with a
 * new Weir for each; other numbers start for who asks.
 *
 * <p>Confine to one thread.
 */
final class Nodes {
  static final int COUNT = 3;

  private static final long TO_ARRIVE_NANOS = 50_000_000;
  private static final List<NodeProcess> SHARED = new ArrayList<>();

  private final List<NodeProcess> processes;

  private Nodes(List<NodeProcess> processes) {
    this.processes = processes;
  }

  /** Opens a Weir at each node; those before are closed. */
  static Nodes on(String store, Map<String, String> settings)
      throws IOException, InterruptedException {
    return new Nodes(started(COUNT, SHARED)).open(store, settings);
  }

  /** So many nodes of the caller's own, which {@link #end} ends. */
  static Nodes own(int count, String store, Map<String, String> settings)
      throws IOException, InterruptedException {
    return new Nodes(started(count, new ArrayList<>())).open(store, settings);
  }

  private static List<NodeProcess> started(int count, List<NodeProcess> all) throws IOException {
    while (all.size() < count) {
      all.add(NodeProcess.start());
    }
    return all;
  }

  private Nodes open(String store, Map<String, String> settings) throws InterruptedException {
    all("open weir.store=" + store + words(settings));
    return this;
  }

  private static String words(Map<String, String> settings) {
    return settings.entrySet().stream()
        .map(each -> " " + each.getKey() + "=" + each.getValue())
        .collect(Collectors.joining());
  }

  /** Releases so many requests for one key at all nodes at the same moment. */
  Report burst(Terms terms, String key, int requests, int threads) throws InterruptedException {
    long at = Ticker.system().nanoTime() + TO_ARRIVE_NANOS;
    int callers = processes.size() * threads;
    int each = (requests + callers - 1) / callers;
    String line = String.join(" ", "burst", terms.line(), key);
    return Report.of(all(line + " " + each + " " + threads + " " + at));
  }

  /** Starts a steady load at all nodes. */
  void start(Terms terms, String key, int keys, int threads, int pauseMicros)
      throws InterruptedException {
    String line = String.join(" ", "start", terms.line(), key);
    all(line + " " + keys + " " + threads + " " + pauseMicros);
  }

  /** Ends the load. */
  Report stop() throws InterruptedException {
    return Report.of(all("stop"));
  }

  List<Integer> serve() throws InterruptedException {
    List<Integer> ports = new ArrayList<>();
    for (List<String> reply : all("serve")) {
      ports.add(Integer.parseInt(reply.get(0).substring("port ".length())));
    }
    return ports;
  }

  /** Closes the Weir of each node. */
  void close() throws InterruptedException {
    all("close");
  }

  /** Ends the processes. */
  void end() {
    processes.forEach(NodeProcess::close);
  }

  String log() {
    return processes.stream().map(NodeProcess::log).collect(Collectors.joining("\n"));
  }

  private List<List<String>> all(String line) throws InterruptedException {
    processes.forEach(each -> each.send(line));
    List<List<String>> replies = new ArrayList<>();
    for (NodeProcess each : processes) {
      replies.add(each.reply());
    }
    return replies;
  }
}
