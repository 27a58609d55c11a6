package io.weir.internal.application;

import static io.weir.spi.DecisionPhase.AFTER_AUTHENTICATION;
import static io.weir.spi.DecisionPhase.BEFORE_AUTHENTICATION;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.weir.Decision;
import io.weir.Policy;
import io.weir.adapter.EndpointType;
import io.weir.annotation.By;
import io.weir.annotation.Mode;
import io.weir.annotation.RateLimit;
import io.weir.annotation.Tier;
import io.weir.internal.container.PeerLookup;
import io.weir.internal.guard.GuardedEndpoint;
import io.weir.internal.guard.GuardedRequest;
import io.weir.metrics.MicrometerMetrics;
import io.weir.spi.CallerTier;
import io.weir.spi.CostResolver;
import io.weir.spi.DecisionMetrics;
import io.weir.spi.KeyResolver;
import io.weir.spi.LoadSensor;
import io.weir.spi.PeerAddress;
import io.weir.spi.RefusalBody;
import io.weir.spi.RefusalInfo;
import io.weir.spi.RefusalText;
import io.weir.spi.RequestCondition;
import io.weir.spi.RequestInfo;
import io.weir.spi.TierResolver;
import io.weir.spi.UserNames;
import io.weir.testkit.FakeRequest;
import io.weir.testkit.FakeTicker;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.Principal;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongSupplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The parts that an application names in META-INF/services, and the metrics that it gives. */
class ApplicationExtensionsTest {
  private static final AtomicReference<String> MEASURED = new AtomicReference<>("");
  private static final AtomicReference<MeterRegistry> REGISTRY = new AtomicReference<>();

  @TempDir Path directory;
  private final ClassLoader before = Thread.currentThread().getContextClassLoader();
  private URLClassLoader application;

  static class Shop {
    @RateLimit(
        limit = 1,
        window = 60,
        by = By.KEY,
        key = "Tenant",
        tiers = @Tier(name = "gold", limit = 3),
        name = "tenant")
    public void tenant() {}

    @RateLimit(limit = 9, window = 60, costFrom = "Length", when = "Named", name = "length")
    public void length() {}

    @RateLimit(limit = 10, window = 60, mode = Mode.ELASTIC, name = "elastic")
    public void elastic() {}
  }

  /** Counts by a parameter of the query. */
  public static final class Tenant implements KeyResolver {
    @Override
    public Optional<String> resolve(RequestInfo request) {
      return request.query("tenant");
    }
  }

  /** Costs as many permits as the tenant's name has letters. */
  public static final class Length implements CostResolver {
    @Override
    public OptionalLong resolve(RequestInfo request) {
      return OptionalLong.of(request.query("tenant").orElse("").length());
    }
  }

  /** Holds for requests with a tenant, and has a name of its own. */
  public static final class HasTenant implements RequestCondition {
    @Override
    public boolean test(RequestInfo request) {
      return !request.query("tenant").orElse("").isEmpty();
    }

    @Override
    public String name() {
      return "Named";
    }
  }

  /** Everybody is golden. */
  public static final class Gold implements TierResolver {
    @Override
    public CallerTier resolve(RequestInfo request, Policy policy) {
      return CallerTier.named("gold");
    }
  }

  /** No node is busier. */
  public static final class Busy implements LoadSensor {
    @Override
    public double load() {
      return 1.0;
    }
  }

  /** The peer's address is fixed. */
  public static final class PeerLookup implements PeerAddress {
    @Override
    public Optional<String> of(Object request) {
      return Optional.of("192.0.2.9");
    }
  }

  /** Upper and lower case are the same user. */
  public static final class Folded implements UserNames {
    @Override
    public Optional<String> name(Principal principal) {
      return Optional.of(principal.getName().toLowerCase(Locale.ROOT));
    }
  }

  /** Everybody reads the same. */
  public static final class Later implements RefusalBody {
    @Override
    public Optional<RefusalText> of(RefusalInfo refusal) {
      return Optional.of(new RefusalText("text/plain", "later"));
    }
  }

  /** Remembers the last policy that decided. */
  public static final class Measured implements DecisionMetrics {
    @Override
    public void decided(Decision part) {
      MEASURED.set(part.policy().name());
    }

    @Override
    public void took(long nanos) {}

    @Override
    public void bucketsHeld(LongSupplier held) {}
  }

  /** Remembers the registry that was made. */
  public static final class Registry extends SimpleMeterRegistry {
    public Registry() {
      REGISTRY.set(this);
    }
  }

  @BeforeEach
  void enter() throws IOException {
    Files.createDirectories(directory.resolve("META-INF/services"));
    application = new URLClassLoader(new URL[] {directory.toUri().toURL()}, before);
    Thread.currentThread().setContextClassLoader(application);
  }

  @AfterEach
  void leave() throws IOException {
    Thread.currentThread().setContextClassLoader(before);
    application.close();
  }

  @Test
  void whatServicesNameIsUsed() throws Exception {
    name(KeyResolver.class, Tenant.class);
    name(TierResolver.class, Gold.class);
    name(LoadSensor.class, Busy.class);
    name(PeerAddress.class, PeerLookup.class);
    name(UserNames.class, Folded.class);
    name(DecisionMetrics.class, Measured.class);
    name(RefusalBody.class, Later.class);
    try (WeirRuntime weir = new DefaultWeirBuilder().ticker(new FakeTicker()).build()) {
      assertEquals(3, admitted(weir, "tenant", "a"));
      assertEquals(3, admitted(weir, "tenant", "b"));
      assertEquals("tenant", MEASURED.get());
      assertEquals(5, admitted(weir, "elastic", "a"));
      assertEquals("elastic", MEASURED.get());
      GuardedEndpoint tenant =
          weir.endpoint(Shop.class, Shop.class.getMethod("tenant"), EndpointType.JAXRS);
      GuardedRequest again = tenant.enter(FakeRequest.from("192.0.2.1").query("tenant", "a"));
      assertEquals("later", again.decide(BEFORE_AUTHENTICATION).orElseThrow().text());
      assertEquals(Optional.of("ann"), weir.userNames().name(() -> "ANN"));
      assertEquals("192.0.2.9", weir.peerAddress().orElseThrow().of("").orElseThrow());
    }
  }

  @Test
  void costsAndConditionsAreFoundByTheirNames() throws Exception {
    name(CostResolver.class, Length.class);
    name(RequestCondition.class, HasTenant.class);
    try (WeirRuntime weir = new DefaultWeirBuilder().ticker(new FakeTicker()).build()) {
      GuardedEndpoint length =
          weir.endpoint(Shop.class, Shop.class.getMethod("length"), EndpointType.JAXRS);
      GuardedRequest named = length.enter(FakeRequest.from("192.0.2.1").query("tenant", "four"));
      named.decide(AFTER_AUTHENTICATION);
      assertEquals(4, named.decision().permits());
      GuardedRequest nameless = length.enter(FakeRequest.from("192.0.2.1"));
      nameless.decide(AFTER_AUTHENTICATION);
      assertFalse(nameless.isDecided());
    }
  }

  @Test
  void whatIsGivenGoesBeforeWhatServicesName() throws Exception {
    name(CostResolver.class, Length.class);
    name(RequestCondition.class, HasTenant.class);
    try (WeirRuntime weir =
        new DefaultWeirBuilder()
            .ticker(new FakeTicker())
            .costResolver("Length", request -> OptionalLong.of(9))
            .requestCondition("Named", request -> true)
            .build()) {
      GuardedRequest request =
          weir.endpoint(Shop.class, Shop.class.getMethod("length"), EndpointType.JAXRS)
              .enter(FakeRequest.from("192.0.2.1"));
      request.decide(AFTER_AUTHENTICATION);
      assertEquals(9, request.decision().permits());
    }
  }

  @Test
  void aRegistryThatServicesNameIsFed() throws Exception {
    name(KeyResolver.class, Tenant.class);
    name(MeterRegistry.class, Registry.class);
    try (WeirRuntime weir = new DefaultWeirBuilder().ticker(new FakeTicker()).build()) {
      assertEquals(1, admitted(weir, "tenant", "a"));
      assertEquals(1, counted(REGISTRY.get(), "tenant", "refused"));
    }
  }

  @Test
  void aRegistryThatIsGivenIsFed() throws Exception {
    MeterRegistry registry = new SimpleMeterRegistry();
    DecisionMetrics metrics = new MicrometerMetrics(registry);
    try (WeirRuntime weir =
        new DefaultWeirBuilder()
            .ticker(new FakeTicker())
            .loadSensor(new Busy())
            .keyResolver("Tenant", new Tenant())
            .metrics(metrics)
            .build()) {
      assertEquals(5, admitted(weir, "elastic", "a"));
      assertEquals(5, counted(registry, "elastic", "admitted"));
      assertEquals(1, counted(registry, "elastic", "refused"));
      assertEquals(1.0, registry.get("weir.buckets").gauge().value());
    }
  }

  /** An application with two of them, or two applications that share a registry. */
  @Test
  void ofTwoOnOneRegistryEachShowsItsBucketsAndTakesOnlyItsOwnAway() {
    MeterRegistry registry = new SimpleMeterRegistry();
    DecisionMetrics shared = new MicrometerMetrics(registry);
    WeirRuntime first = new DefaultWeirBuilder().metrics(shared).build();
    try (WeirRuntime second = new DefaultWeirBuilder().metrics(shared).build();
        WeirRuntime third =
            new DefaultWeirBuilder().metrics(new MicrometerMetrics(registry)).build()) {
      assertEquals(3, registry.find("weir.buckets").gauges().size());
      first.close();
      assertEquals(2, registry.find("weir.buckets").gauges().size());
    }
    assertEquals(0, registry.find("weir.buckets").gauges().size());
  }

  private void name(Class<?> service, Class<?> provider) throws IOException {
    Files.writeString(
        directory.resolve("META-INF/services/" + service.getName()), provider.getName());
  }

  private static long admitted(WeirRuntime weir, String method, String tenant) throws Exception {
    GuardedEndpoint guard =
        weir.endpoint(Shop.class, Shop.class.getMethod(method), EndpointType.JAXRS);
    return Stream.generate(() -> FakeRequest.from("192.0.2.1").query("tenant", tenant))
        .limit(20)
        .takeWhile(each -> guard.enter(each).decide(BEFORE_AUTHENTICATION).isEmpty())
        .count();
  }

  private static long counted(MeterRegistry registry, String policy, String outcome) {
    return (long)
        registry
            .get("weir.decisions")
            .tag("policy", policy)
            .tag("outcome", outcome)
            .counter()
            .count();
  }
}
