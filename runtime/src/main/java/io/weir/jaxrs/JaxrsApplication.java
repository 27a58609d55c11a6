package io.weir.jaxrs;

import io.weir.adapter.EndpointType;
import io.weir.internal.application.WeirHandle;
import io.weir.internal.application.WeirRuntime;
import io.weir.internal.container.PeerLookup;
import io.weir.internal.guard.GuardedEndpoint;
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
 * A JAX-RS application that the feature limits: its Weir, the way to read the peer's address, its
 * start and end, and mistakes, each of which it logs once.
 *
 * <p>Safe for concurrent use.
 */
final class JaxrsApplication implements PeerLookup {
  private static final String NO_PEER =
      "The address of the connection's peer can't be read here, but a policy needs it. Give an"
          + " io.weir.spi.PeerAddress to Weir.builder(), or list one for ServiceLoader in"
          + " META-INF/services/io.weir.spi.PeerAddress.";

  private final Logger log;
  private final WeirRuntime weir;
  private final List<PeerLookup> peers;
  private final Optional<WeirHandle> handle;
  private final AtomicBoolean started = new AtomicBoolean();
  private final Set<String> reported = ConcurrentHashMap.newKeySet();
  private volatile boolean peerSeen;
  private volatile boolean filtersBeforeMatching = true;

  /**
   * Adds Weir to an application.
   *
   * @param containers lookups of the peer's address, used where the {@code PeerAddress} of Weir
   *     doesn't know it
   * @param handle keeps the Weir open until the application ends; empty where nothing reports the
   *     end
   */
  JaxrsApplication(
      Logger log, WeirRuntime weir, List<PeerLookup> containers, Optional<WeirHandle> handle) {
    this.log = log;
    this.weir = weir;
    this.handle = handle;
    List<PeerLookup> all = new ArrayList<>(containers);
    weir.peerAddress().ifPresent(given -> all.add(0, given::of));
    this.peers = List.copyOf(all);
  }

  WeirRuntime weir() {
    return weir;
  }

  /**
   * Finds the endpoint of a resource method. Once the application has started, settings that don't
   * suit the method are logged instead of thrown.
   */
  GuardedEndpoint endpoint(Class<?> type, Method method) {
    return started.get()
        ? weir.endpointAtRequest(type, Optional.of(method), EndpointType.JAXRS)
        : weir.endpoint(type, method, EndpointType.JAXRS);
  }

  /** Notes the end of the start-up; where that isn't reported, with the first request. */
  void started() {
    if (!started.get() && started.compareAndSet(false, true)) {
      log.log(Level.INFO, weir::table);
    }
  }

  /** Notes that only Weir's request filters run before matching. */
  void noFiltersBeforeMatching() {
    filtersBeforeMatching = false;
  }

  /** Returns whether other request filters may run before matching. */
  boolean hasFiltersBeforeMatching() {
    return filtersBeforeMatching;
  }

  /** Releases the Weir after the last request. */
  void ended() {
    handle.ifPresent(WeirHandle::close);
  }

  /** Releases the Weir if the start fails, which nothing else reports. */
  void endUnlessStarted() {
    if (!started.get()) {
      ended();
    }
  }

  /** Warns of limits on methods that are no endpoints; they may be meant for the aspect. */
  void warnOfIdleLimits(List<Class<?>> resources) {
    resources.stream()
        .flatMap(each -> ResourceMethods.limitedNonEndpoints(each).stream())
        .distinct()
        .forEach(
            method ->
                log.log(
                    Level.WARNING,
                    "The limit of "
                        + method
                        + " applies only if the aspect is woven in, since the method is no"
                        + " endpoint."));
  }

  /** Returns the address from the first lookup that finds it. */
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

  /** Logs once if a request's address can't be read: only a request shows which container runs. */
  void checkPeer(JaxrsRequest request) {
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
