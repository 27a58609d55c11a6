package io.weir.jaxrs;

import io.weir.internal.container.PeerLookup;
import io.weir.internal.guard.GuardedEndpoint;
import io.weir.internal.guard.WeirHandle;
import io.weir.internal.guard.WeirRuntime;
import io.weir.internal.policy.EndpointKind;
import jakarta.ws.rs.container.ContainerRequestContext;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * What the feature has installed in one application, and what it logs about that once.
 *
 * <p>Safe for concurrent use.
 */
final class JaxrsApplication implements PeerLookup {
  private static final String NO_PEER =
      "The address of the connection's peer can't be read here, but a policy needs it. Give an"
          + " io.weir.spi.PeerAddress to Weir.builder(), or name one for ServiceLoader in"
          + " META-INF/services/io.weir.spi.PeerAddress.";

  private final Logger log;
  private final WeirRuntime weir;
  private final List<PeerLookup> peers;
  private final Optional<WeirHandle> use;
  private final AtomicBoolean started = new AtomicBoolean();
  private final Set<String> reported = ConcurrentHashMap.newKeySet();
  private volatile boolean peerSeen;
  private volatile boolean filtersBeforeMatching = true;

  /**
   * Adds Weir to an application.
   *
   * @param containers lookups of the peer's address, used where the {@code PeerAddress} of Weir
   *     doesn't know it
   * @param use keeps the Weir open until the application ends; empty where nothing reports the end
   */
  JaxrsApplication(
      Logger log, WeirRuntime weir, List<PeerLookup> containers, Optional<WeirHandle> use) {
    this.log = log;
    this.weir = weir;
    this.use = use;
    List<PeerLookup> all = new ArrayList<>(containers);
    weir.peerAddress().ifPresent(given -> all.add(0, given::of));
    this.peers = List.copyOf(all);
  }

  WeirRuntime weir() {
    return weir;
  }

  /**
   * The endpoint of a resource method; one that a request asks for first doesn't fail by settings.
   */
  GuardedEndpoint endpoint(Class<?> type, Method method) {
    return started.get()
        ? weir.endpointAtRequest(type, Optional.of(method), EndpointKind.JAXRS)
        : weir.endpoint(type, method, EndpointKind.JAXRS);
  }

  /** Called at the end of start-up or, where that isn't reported, with the first request. */
  void started() {
    if (!started.get() && started.compareAndSet(false, true)) {
      log.log(Level.INFO, weir::table);
    }
  }

  /** Called where it is known that no request filter of others runs before matching. */
  void nothingFiltersBeforeMatching() {
    filtersBeforeMatching = false;
  }

  /** Whether request filters of others may run before matching. */
  boolean filtersBeforeMatching() {
    return filtersBeforeMatching;
  }

  /** After the last request. */
  void ended() {
    use.ifPresent(WeirHandle::close);
  }

  /** Called if the start fails, which nothing else reports. */
  void endUnlessStarted() {
    if (!started.get()) {
      ended();
    }
  }

  /** They may be meant for the aspect, so they are no mistakes. */
  void warnOfIdleLimits(List<Class<?>> resources) {
    resources.stream()
        .flatMap(each -> ResourceMethods.idle(each).stream())
        .distinct()
        .forEach(
            method ->
                log.log(
                    Level.WARNING,
                    "The limit of "
                        + method
                        + " is that of no endpoint: it holds only where the aspect is woven in."));
  }

  /** What the first one says that knows it. */
  @Override
  public Optional<String> of(ContainerRequestContext context) {
    Optional<String> peer = Optional.empty();
    for (int i = 0; i < peers.size() && peer.isEmpty(); i++) {
      peer = peers.get(i).of(context);
    }
    return peer;
  }

  void requirePeer() {
    if (peers.isEmpty()) {
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
      log.log(Level.ERROR, mistake);
    }
  }
}
