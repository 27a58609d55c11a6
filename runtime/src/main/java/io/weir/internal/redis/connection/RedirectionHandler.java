package io.weir.internal.redis.connection;

import io.weir.internal.redis.address.HostAndPort;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Handles calls that a master redirects: sends them to the master that it names, or, if the address
 * is that of a single server, explains that this is part of a cluster.
 *
 * <p>Safe for concurrent use.
 */
final class RedirectionHandler {
  private final int partition;
  private final Topology topology;
  private final Sender sender;

  /** Sends calls to any master. */
  interface Sender {
    /**
     * Sends calls and waits; each then has its reply or its failure.
     *
     * @param asking whether to send ASKING before each of them
     */
    void send(HostAndPort target, List<EvalCall> calls, boolean asking);
  }

  RedirectionHandler(int partition, Topology topology, Sender sender) {
    this.partition = partition;
    this.topology = topology;
    this.sender = sender;
  }

  boolean hasAny(List<EvalCall> calls) {
    for (EvalCall call : calls) {
      if (isRedirected(call)) {
        return true;
      }
    }
    return false;
  }

  private static boolean isRedirected(EvalCall call) {
    return call.hasFailedBy(FailureKind.MOVED)
        || call.hasFailedBy(FailureKind.ASK)
        || call.hasFailedBy(FailureKind.CROSSSLOT);
  }

  void handle(List<EvalCall> calls) {
    try {
      if (topology.redirects()) {
        follow(calls, FailureKind.MOVED);
        follow(calls, FailureKind.ASK);
      } else {
        calls.forEach(this::explainCluster);
      }
    } catch (ConnectionException unknown) {
      // It is unknown where the master is now: the calls keep their failures.
    }
  }

  /**
   * Sends calls to the master that was named; they weren't executed. Only once, so there are no
   * loops.
   */
  private void follow(List<EvalCall> calls, FailureKind redirection) {
    Map<HostAndPort, List<EvalCall>> targets = new LinkedHashMap<>();
    for (EvalCall call : calls) {
      if (call.hasFailedBy(redirection)) {
        target(call)
            .ifPresent(to -> targets.computeIfAbsent(to, any -> new ArrayList<>()).add(call));
      }
    }
    if (!targets.isEmpty()) {
      topology.doubt();
    }
    targets.forEach((to, these) -> sender.send(to, these, redirection == FailureKind.ASK));
  }

  /**
   * Reads MOVED or ASK, the slot, and host:port; without a host, it is the server that answered.
   */
  private Optional<HostAndPort> target(EvalCall call) {
    String[] words = call.failure().map(Failure::text).orElse("").split(" ", -1);
    String where = words[words.length - 1];
    int colon = where.lastIndexOf(':');
    if (colon < 0 || !where.substring(colon + 1).matches("[0-9]{1,5}")) {
      return Optional.empty();
    }
    String host = where.substring(0, colon);
    return HostAndPort.of(
        host.isEmpty() || host.equals("?") ? topology.find(partition).host() : host,
        Long.parseLong(where.substring(colon + 1)));
  }

  /**
   * Explains the failure of a call to a server that redirects, or wants keys of one slot only: it
   * is part of a cluster.
   */
  private void explainCluster(EvalCall call) {
    if (isRedirected(call)) {
      String said = call.failure().map(Failure::text).orElse("");
      String where = ", says Redis at " + topology.find(partition) + ", one node of a cluster";
      String text = said + where + ": begin weir.store with redis-cluster://";
      call.fail(new Failure(FailureKind.CROSSSLOT, text));
    }
  }
}
