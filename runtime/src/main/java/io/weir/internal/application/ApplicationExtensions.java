package io.weir.internal.application;

import io.weir.internal.extension.ClassPresence;
import io.weir.internal.extension.SafePeerAddress;
import io.weir.internal.extension.SafeUserNames;
import io.weir.internal.extension.WeirServiceLoader;
import io.weir.internal.policy.RegisteredExtensions;
import io.weir.metrics.MicrometerMetrics;
import io.weir.spi.CallerTier;
import io.weir.spi.CostResolver;
import io.weir.spi.DecisionMetrics;
import io.weir.spi.DecisionTracing;
import io.weir.spi.KeyResolver;
import io.weir.spi.LoadSensor;
import io.weir.spi.PeerAddress;
import io.weir.spi.PolicySource;
import io.weir.spi.RefusalBody;
import io.weir.spi.RequestCondition;
import io.weir.spi.TierResolver;
import io.weir.spi.UserNames;
import io.weir.tracing.OpenTelemetryTracing;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;

/**
 * Finds the parts that an application plugs in: those given to the builder, else those that {@code
 * ServiceLoader} finds. Immutable.
 */
record ApplicationExtensions(
    Map<String, KeyResolver> keyResolvers,
    Map<String, CostResolver> costResolvers,
    Map<String, RequestCondition> conditions,
    TierResolver tiers,
    Optional<LoadSensor> loadSensor,
    Optional<PeerAddress> peerAddress,
    UserNames userNames,
    Optional<PolicySource> policySource,
    Optional<RefusalBody> refusalBody,
    DecisionMetrics metrics,
    DecisionTracing tracing) {
  private static final System.Logger LOG = System.getLogger("io.weir");
  private static final String SPAN = "io.opentelemetry.api.trace.Span";
  private static final TierResolver NO_TIERS = (request, policy) -> CallerTier.none();

  /**
   * Finds the parts.
   *
   * @param setting reads a setting by its full name
   * @throws IllegalStateException if there are several policy sources
   */
  static ApplicationExtensions of(
      GivenExtensions given, ClassLoader loader, UnaryOperator<String> setting) {
    return new ApplicationExtensions(
        named(KeyResolver.class, KeyResolver::name, given.keyResolvers, loader),
        named(CostResolver.class, CostResolver::name, given.costResolvers, loader),
        named(RequestCondition.class, RequestCondition::name, given.conditions, loader),
        given.tierResolver.or(() -> first(TierResolver.class, loader)).orElse(NO_TIERS),
        given.loadSensor.or(() -> first(LoadSensor.class, loader)),
        given.peerAddress.or(() -> first(PeerAddress.class, loader)).map(SafePeerAddress::new),
        userNames(given, loader),
        given.policySource.or(
            () -> PolicySourceLoader.find(loader, setting, given.policySourceProvider)),
        given.refusalBody.or(() -> first(RefusalBody.class, loader)),
        given.metrics.orElseGet(() -> metrics(loader)),
        given.tracing.orElseGet(() -> tracing(loader)));
  }

  private static UserNames userNames(GivenExtensions given, ClassLoader loader) {
    Optional<UserNames> found = given.userNames.or(() -> first(UserNames.class, loader));
    return found.isPresent() ? new SafeUserNames(found.get()) : SafeUserNames.PLAIN;
  }

  /** Returns the names that policies can refer to. */
  RegisteredExtensions named() {
    return new RegisteredExtensions(
        keyResolvers.keySet(),
        costResolvers.keySet(),
        conditions.keySet(),
        conditions(RequestCondition::needsUser),
        conditions(RequestCondition::needsBody));
  }

  private Set<String> conditions(Predicate<RequestCondition> need) {
    Set<String> names = new HashSet<>();
    conditions.forEach(
        (name, condition) -> {
          if (need.test(condition)) {
            names.add(name);
          }
        });
    return names;
  }

  private static <T> Map<String, T> named(
      Class<T> service, Function<T, String> name, Map<String, T> given, ClassLoader loader) {
    Map<String, T> all = new LinkedHashMap<>();
    WeirServiceLoader.load(service, loader).forEach(each -> all.put(name.apply(each), each));
    all.putAll(given);
    return Map.copyOf(all);
  }

  private static <T> Optional<T> first(Class<T> service, ClassLoader loader) {
    return WeirServiceLoader.load(service, loader).stream().findFirst();
  }

  /**
   * Returns whether decisions call any of these parts, which may block. Metrics and tracing don't
   * count: they are called for each decision, in whatever thread makes it.
   */
  boolean areCalled() {
    return tiers != NO_TIERS
        || !keyResolvers.isEmpty()
        || !costResolvers.isEmpty()
        || !conditions.isEmpty()
        || loadSensor.isPresent()
        || policySource.isPresent()
        || refusalBody.isPresent();
  }

  /** Finds metrics: a service, else a registry of Micrometer, else none. */
  private static DecisionMetrics metrics(ClassLoader loader) {
    return first(DecisionMetrics.class, loader).orElseGet(() -> micrometer(loader));
  }

  private static DecisionMetrics micrometer(ClassLoader loader) {
    try {
      return MicrometerMetrics.found(loader);
    } catch (NoClassDefFoundError absent) {
      return DecisionMetrics.none();
    }
  }

  /** Finds tracing: a service, else OpenTelemetry, else none. */
  private static DecisionTracing tracing(ClassLoader loader) {
    return first(DecisionTracing.class, loader).orElseGet(ApplicationExtensions::openTelemetry);
  }

  private static DecisionTracing openTelemetry() {
    try {
      return ClassPresence.isPresent(SPAN) ? new OpenTelemetryTracing() : DecisionTracing.none();
    } catch (LinkageError unusable) {
      LOG.log(
          System.Logger.Level.WARNING,
          "The API of OpenTelemetry on the class path can't be used: decisions aren't recorded on"
              + " spans. Use a released version of 1.x, with all of its jars",
          unusable);
      return DecisionTracing.none();
    }
  }
}
