package io.weir.jaxrs;

import io.weir.adapter.Adapter;
import io.weir.adapter.EndpointType;
import io.weir.adapter.LimitedEndpoint;
import io.weir.adapter.RequestValues;
import io.weir.internal.container.IgnoredAddressWarning;
import io.weir.internal.container.JaxrsImplementation;
import io.weir.internal.container.JaxrsServlet;
import io.weir.internal.container.Peer;
import io.weir.internal.container.PeerLookup;
import jakarta.ws.rs.HttpMethod;
import jakarta.ws.rs.container.ContainerRequestContext;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.lang.reflect.Method;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Predicate;

/**
 * A JAX-RS application that the feature limits: its Weir, the way to read the peer's address, its
 * start and end, and mistakes, each of which it logs once.
 *
 * <p>Safe for concurrent use.
 */
final class JaxrsApplication implements PeerLookup {
  private static final String NO_PEER =
      "The address of the connection's peer can't be read here, but a policy needs it. Pass an"
          + " io.weir.spi.PeerAddress to Weir.builder(), or list one for ServiceLoader in"
          + " META-INF/services/io.weir.spi.PeerAddress.";

  private static final String NOTHING_BOUND =
      "Requests arrive, but this implementation of JAX-RS has passed no resource method to"
          + " RateLimitFeature, so no limits apply: it ignores a DynamicFeature that a Feature"
          + " registers. Use an implementation that supports this.";

  private final Logger log;
  private final List<PeerLookup> containers;
  private final Optional<JaxrsImplementation> implementation;
  private final boolean interceptsBodies;
  private final AtomicBoolean started = new AtomicBoolean();
  private final Set<String> reported = ConcurrentHashMap.newKeySet();
  private final Set<Class<?>> checked = ConcurrentHashMap.newKeySet();
  private volatile Owned owned;
  private volatile boolean methodSeen;
  private volatile boolean peerSeen;
  private volatile boolean filtersBeforeMatching = true;
  private volatile boolean registered;
  private volatile boolean ended;
  private volatile Predicate<ContainerRequestContext> mayReachResource;

  /**
   * The Weir that limits the application.
   *
   * @param adapter keeps the Weir open until the application ends, or is garbage collected where
   *     nothing reports that
   * @param automatic whether nobody has registered the feature
   */
  private record Owned(Adapter adapter, boolean automatic) {}

  /**
   * Adds Weir to an application.
   *
   * @param containers lookups of the peer's address, used where the {@code PeerAddress} of Weir
   *     doesn't know it
   * @param implementation what runs the application; empty for Jersey
   */
  JaxrsApplication(
      Logger log,
      List<PeerLookup> containers,
      Optional<JaxrsImplementation> implementation,
      Adapter adapter,
      boolean automatic) {
    this.log = log;
    this.containers = List.copyOf(containers);
    this.implementation = implementation;
    this.interceptsBodies =
        implementation.map(JaxrsImplementation::allowsWriterInterceptors).orElse(true);
    this.owned = new Owned(adapter, automatic);
    this.mayReachResource =
        implementation
            .<Predicate<ContainerRequestContext>>map(each -> each::mayReachResource)
            .orElse(any -> true); // until Jersey has shown its resources
    implementation.ifPresent(each -> each.whenEnded(this::ended));
  }

  Adapter adapter() {
    return owned.adapter;
  }

  /** Returns what runs the application; empty for Jersey. */
  Optional<JaxrsImplementation> implementation() {
    return implementation;
  }

  /**
   * Returns whether Weir was added automatically, so that a registered feature takes precedence.
   */
  boolean isAutomatic() {
    return owned.automatic;
  }

  /** Lets the Weir of a feature that the application has registered replace the automatic one. */
  void takeOver(Adapter registered) {
    Adapter automatic = owned.adapter;
    owned = new Owned(registered, false);
    automatic.close();
    registered.check(checked, EndpointType.JAXRS);
  }

  JaxrsRequest request(ContainerRequestContext context) {
    return new JaxrsRequest(context, this, adapter().userNames(), adapter()::address);
  }

  /**
   * Finds the endpoint of a resource method. Once the application has started, settings that don't
   * suit the method are logged instead of thrown.
   */
  LimitedEndpoint endpoint(Class<?> type, Method method) {
    return adapter().endpoint(type, method, EndpointType.JAXRS);
  }

  /**
   * Validates a class whole when its first method is bound, if it wasn't validated at the start.
   *
   * @throws io.weir.InvalidPolicyException if there are mistakes, all of them in one message
   */
  void check(Class<?> type) {
    if (!started.get() && checked.add(type)) {
      adapter().check(List.of(type), EndpointType.JAXRS);
    }
  }

  /**
   * Validates all classes of the application that are known before its methods are bound.
   *
   * @throws io.weir.InvalidPolicyException if there are mistakes, all of them in one message
   */
  void check(List<Class<?>> resources) {
    checked.addAll(resources);
    adapter().check(resources, EndpointType.JAXRS);
  }

  boolean interceptsBodies() {
    return interceptsBodies;
  }

  /** Notes the end of the start-up; where that isn't reported, with the first request. */
  void started() {
    if (!started.get() && started.compareAndSet(false, true)) {
      adapter().started();
      logTable();
    }
  }

  private void logTable() {
    try {
      log.log(Level.INFO, adapter().weir()::table);
    } catch (IllegalStateException closed) {
      log.log(Level.DEBUG, "the first request came after the end", closed);
    }
  }

  /** Notes that a request has matched a resource method. */
  void requested() {
    if (!methodSeen) {
      methodSeen = true;
      report(NOTHING_BOUND);
    }
    started();
  }

  /** Notes that the feature has been shown a method that isn't limited, such as Jersey's own. */
  void sawMethod() {
    methodSeen = true;
  }

  /** Notes that only Weir's request filters run before matching. */
  void noFiltersBeforeMatching() {
    filtersBeforeMatching = false;
  }

  /**
   * Adds filters that run before matching to those after it.
   *
   * @param others the position of filters after matching
   */
  ForeignFilterPosition withEarlier(ForeignFilterPosition others) {
    return others == ForeignFilterPosition.NONE && filtersBeforeMatching
        ? ForeignFilterPosition.BEFORE_BOTH
        : others;
  }

  /** Returns whether a request may have left policies by URL to decide. */
  boolean decidesPaths() {
    return registered || adapter().limitsPaths();
  }

  /** Lets a servlet's filter leave preflights undecided, if this application is all it runs. */
  void registerWith(JaxrsServlet servlet) {
    registered = true;
    servlet.register(
        () -> !ended && implementation.map(JaxrsImplementation::isAloneInServlet).orElse(true));
    var unused = servlet.decidesPreflights(); // the implementation is asked within a request
  }

  /** Sets how to find out what an OPTIONS request may reach. */
  void findResourcesBy(Predicate<ContainerRequestContext> resources) {
    mayReachResource = resources;
  }

  /**
   * Returns whether a request that has passed all filters before matching may reach a resource: it
   * is no OPTIONS, or not only one that the implementation answers itself.
   */
  boolean mayReachResource(ContainerRequestContext context) {
    return !context.getMethod().equals(HttpMethod.OPTIONS)
        || RequestValues.read(() -> mayReachResource.test(context)).orElse(true);
  }

  /** Releases the Weir after the last request. */
  void ended() {
    ended = true;
    owned.adapter.close();
  }

  /** Releases the Weir if the start fails, which nothing else reports. */
  void endUnlessStarted() {
    if (!started.get()) {
      ended();
    }
  }

  /**
   * Warns of limits on methods that are no endpoints, and on classes that are no resources; they
   * may be meant for the aspect.
   *
   * @param others other registered classes that carry limits
   */
  void warnOfIdleLimits(List<Class<?>> resources, List<Class<?>> others) {
    others.forEach(
        each ->
            log.log(
                Level.WARNING,
                "The limits of "
                    + each
                    + " apply only if the aspect is woven in, since the class isn't a resource: it"
                    + " has no @Path."));
    resources.stream()
        .flatMap(each -> ResourceMethods.limitedNonEndpoints(each).stream())
        .distinct()
        .forEach(
            method ->
                log.log(
                    Level.WARNING,
                    "The limit of "
                        + method
                        + " applies only if the aspect is woven in, since the method isn't an"
                        + " endpoint."));
  }

  /** Finds the peer by the first lookup that knows it; a {@code PeerAddress} takes precedence. */
  @Override
  public Optional<Peer> of(ContainerRequestContext context) {
    Adapter adapter = owned.adapter;
    Optional<Peer> known = ofContainer(context);
    Optional<String> given = adapter.findsPeer() ? adapter.peer(context) : Optional.empty();
    if (given.isPresent()) {
      String address = given.get();
      return known.map(each -> each.withAddress(address)).or(() -> Optional.of(Peer.at(address)));
    }
    if (known.isPresent() && known.get().wrapper().isPresent()) {
      IgnoredAddressWarning.note(known.get().wrapper().get(), adapter::setting);
    }
    return known;
  }

  private Optional<Peer> ofContainer(ContainerRequestContext context) {
    Optional<Peer> peer = Optional.empty();
    for (int i = 0; i < containers.size() && peer.isEmpty(); i++) {
      peer = containers.get(i).of(context);
    }
    return peer;
  }

  @Override
  public boolean closesUnannounced(ContainerRequestContext context) {
    return containers.stream().anyMatch(each -> each.closesUnannounced(context));
  }

  void requirePeer() {
    if (containers.isEmpty() && !owned.adapter.findsPeer()) {
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
