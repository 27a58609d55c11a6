package io.weir.jaxrs;

import io.weir.guard.Weir;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * What the feature installed in one application, and what people are told about it once.
 *
 * <p>Safe for concurrent use.
 */
final class Installation {
  private static final Logger LOG = System.getLogger(RateLimitFeature.class.getName());
  private static final String NO_PEER =
      "The address of the connection's peer can't be read here, but a policy needs it. Give an"
          + " io.weir.key.PeerAddress to Weir.builder(), or name one for ServiceLoader in"
          + " META-INF/services/io.weir.key.PeerAddress.";

  private final Weir weir;
  private final boolean readsPeer;
  private final AtomicBoolean started = new AtomicBoolean();
  private final Set<String> reported = ConcurrentHashMap.newKeySet();
  private volatile boolean peerSeen;

  Installation(Weir weir, boolean readsPeer) {
    this.weir = weir;
    this.readsPeer = readsPeer || weir.peerAddress().isPresent();
  }

  Weir weir() {
    return weir;
  }

  /** At the end of the start-up, or where nobody tells of that, with the first request. */
  void started() {
    if (!started.get() && started.compareAndSet(false, true)) {
      LOG.log(Level.INFO, weir::table);
    }
  }

  /** They may be meant for the aspect, so they are no mistakes. */
  void warnOfIdleLimits(List<Class<?>> resources) {
    resources.stream()
        .flatMap(each -> Endpoints.idle(each).stream())
        .distinct()
        .forEach(
            method ->
                LOG.log(
                    Level.WARNING,
                    "The limit of "
                        + method
                        + " is that of no endpoint: it holds only where the aspect is woven in."));
  }

  void requirePeer() {
    if (!readsPeer) {
      throw new IllegalStateException(NO_PEER);
    }
  }

  /** Whether the container is one that the feature knows shows only with a request. */
  void expectPeer(JaxrsRequest request) {
    if (!peerSeen) {
      peerSeen = request.peer().isPresent();
      if (!peerSeen) {
        report(NO_PEER);
      }
    }
  }

  void report(String mistake) {
    if (reported.add(mistake)) {
      LOG.log(Level.ERROR, mistake);
    }
  }
}
