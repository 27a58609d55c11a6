package io.weir.internal.application;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.InvalidSettingException;
import io.weir.Policy;
import io.weir.PolicyBuilder;
import io.weir.adapter.EndpointType;
import io.weir.annotation.By;
import io.weir.annotation.RateLimit;
import io.weir.spi.AppliedPolicies;
import io.weir.spi.CallerTier;
import io.weir.spi.DecisionPhase;
import io.weir.spi.PolicySource;
import io.weir.spi.PolicySourceProvider;
import io.weir.spi.RequestInfo;
import io.weir.spi.SourceContext;
import io.weir.testkit.FakeTicker;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Finds the policy source of an application, and gives it what it may use. */
class PolicySourceProviderTest {
  private static final List<Source> STARTED = new ArrayList<>();
  private static final List<Source> CLOSED = new ArrayList<>();

  @TempDir Path directory;
  private final ClassLoader before = Thread.currentThread().getContextClassLoader();
  private URLClassLoader application;

  /** Remembers that it was started and closed. */
  public static class Source implements PolicySource {
    private SourceContext context;

    @Override
    public CompletionStage<AppliedPolicies> policies(
        RequestInfo request, CallerTier tier, DecisionPhase phase, List<Policy> bound) {
      return CompletableFuture.completedStage(AppliedPolicies.none());
    }

    @Override
    public void start(SourceContext started) {
      context = started;
      STARTED.add(this);
      if (started.setting("weir.prefix").equals("unusable")) {
        throw new IllegalArgumentException("on purpose");
      }
    }

    @Override
    public List<String> describe() {
      return List.of("rule api.posts-60s", "rule all");
    }

    @Override
    public void close() {
      CLOSED.add(this);
    }
  }

  /** Wants to be it if the prefix isn't what it is by default. */
  public static final class First implements PolicySourceProvider {
    @Override
    public Optional<PolicySource> open(UnaryOperator<String> setting) {
      return setting.apply("weir.prefix").isEmpty() ? Optional.empty() : Optional.of(new Source());
    }
  }

  /** Another source. */
  public static final class OtherSource extends Source {}

  /** Wants to be it if there is a secret. */
  public static final class Second implements PolicySourceProvider {
    @Override
    public Optional<PolicySource> open(UnaryOperator<String> setting) {
      return setting.apply("weir.secret").isEmpty()
          ? Optional.empty()
          : Optional.of(new OtherSource());
    }
  }

  static class Shop {
    @RateLimit(limit = 3, window = 60, name = "search")
    public void search() {}
  }

  @BeforeEach
  void enter() throws IOException {
    STARTED.clear();
    CLOSED.clear();
    Files.createDirectories(directory.resolve("META-INF/services"));
    application = new URLClassLoader(new URL[] {directory.toUri().toURL()}, before);
    Thread.currentThread().setContextClassLoader(application);
  }

  @AfterEach
  void leave() throws IOException {
    Thread.currentThread().setContextClassLoader(before);
    application.close();
  }

  private void name(Class<?> service, Class<?>... providers) throws IOException {
    Files.writeString(
        directory.resolve("META-INF/services/" + service.getName()),
        Arrays.stream(providers).map(Class::getName).collect(Collectors.joining("\n")));
  }

  private static DefaultWeirBuilder builder(Map<String, String> settings) {
    return new DefaultWeirBuilder().ticker(new FakeTicker()).settings(settings);
  }

  @Test
  void aSourceThatTheSettingsWantIsUsed() throws Exception {
    name(PolicySourceProvider.class, First.class, Second.class);
    try (WeirRuntime weir = builder(Map.of("weir.prefix", "shop")).build()) {
      assertTrue(weir.hasPolicySource());
      assertEquals("shop", STARTED.get(0).context.setting("weir.prefix"));
    }
    assertEquals(STARTED, CLOSED);
  }

  @Test
  void aSourceThatTheSettingsDoNotWantCostsNothing() throws Exception {
    name(PolicySourceProvider.class, First.class, Second.class);
    try (WeirRuntime weir = builder(Map.of()).build()) {
      assertFalse(weir.hasPolicySource());
      assertTrue(weir.unlimited().isEmpty());
    }
  }

  @Test
  void ofTwoTheStartSaysWhich() throws Exception {
    name(PolicySourceProvider.class, First.class, Second.class);
    DefaultWeirBuilder both = builder(Map.of("weir.prefix", "shop", "weir.secret", "s"));
    IllegalStateException mistake = assertThrows(IllegalStateException.class, both::build);
    String message = String.valueOf(mistake.getMessage());
    assertTrue(message.contains(OtherSource.class.getName() + ", "), message);
    assertTrue(message.endsWith(Source.class.getName()), message);
    assertEquals(2, CLOSED.size());
    name(PolicySource.class, Source.class, OtherSource.class);
    assertThrows(IllegalStateException.class, () -> builder(Map.of()).build());
  }

  @Test
  void whatIsGivenGoesBeforeServicesAndTheseBeforeProviders() throws Exception {
    name(PolicySourceProvider.class, First.class);
    name(PolicySource.class, OtherSource.class);
    Map<String, String> wanted = Map.of("weir.prefix", "shop");
    try (WeirRuntime weir = builder(wanted).build()) {
      assertEquals(OtherSource.class, STARTED.get(0).getClass());
      assertTrue(weir.hasPolicySource());
    }
    Source given = new Source();
    try (WeirRuntime weir = builder(wanted).policySource(given).build()) {
      assertEquals(given, STARTED.get(1));
      assertTrue(weir.hasPolicySource());
    }
  }

  @Test
  void aGivenProviderTakesThePlaceOfThoseThatAreFound() throws Exception {
    name(PolicySourceProvider.class, First.class);
    Source given = new Source();
    Map<String, String> wanted = Map.of("weir.prefix", "shop", "weir.secret", "s");
    PolicySourceProvider provider =
        setting -> setting.apply("weir.secret").isEmpty() ? Optional.empty() : Optional.of(given);
    try (WeirRuntime weir = builder(wanted).policySourceProvider(provider).build()) {
      assertEquals(Optional.of(given), weir.source());
      assertEquals(List.of(given), STARTED);
    }
    Map<String, String> unwanted = Map.of("weir.prefix", "shop");
    try (WeirRuntime weir = builder(unwanted).policySourceProvider(provider).build()) {
      assertEquals(Optional.empty(), weir.source());
    }
  }

  @Test
  void aSettingThatAProviderCanNotUseIsReportedLikeAllOthers() {
    DefaultWeirBuilder builder =
        builder(Map.of())
            .policySourceProvider(
                setting -> {
                  throw new IllegalArgumentException("weir.rules: on purpose");
                });
    InvalidSettingException reported = assertThrows(InvalidSettingException.class, builder::build);
    assertEquals("weir.rules: on purpose", reported.getMessage());
  }

  @Test
  void aSourceThatCanNotStartStopsTheStartAndIsClosed() {
    Source source = new Source();
    DefaultWeirBuilder builder = builder(Map.of("weir.prefix", "unusable")).policySource(source);
    assertThrows(InvalidSettingException.class, builder::build);
    assertEquals(List.of(source), CLOSED);
  }

  @Test
  void knowsPoliciesAndTimeOfTheApplication() throws Exception {
    Source source = new Source();
    FakeTicker ticker = new FakeTicker();
    try (WeirRuntime weir = builder(Map.of()).ticker(ticker).policySource(source).build()) {
      assertEquals(ticker, source.context.ticker());
      assertEquals(List.of(), List.copyOf(source.context.boundPolicies()));
      weir.endpoint(Shop.class, Shop.class.getMethod("search"), EndpointType.SERVLET);
      List<Policy> bound = List.copyOf(source.context.boundPolicies());
      assertEquals(List.of("search"), bound.stream().map(Policy::name).toList());
    }
  }

  @Test
  void knowsWhatTheApplicationCanNotDo() {
    Source source = new Source();
    try (WeirRuntime weir =
        builder(Map.of()).policySource(source).requestCondition("risky", request -> true).build()) {
      assertTrue(weir.hasPolicySource());
      assertEquals(List.of(), source.context.mistakes(policy().when("risky").build()));
      Policy unknown = policy().when("rsky").costFrom("spend").by(By.KEY).keys("Tenant").build();
      List<String> members =
          source.context.mistakes(unknown).stream().map(each -> each.member()).toList();
      assertEquals(List.of("key", "costFrom", "when"), members);
      assertTrue(source.context.mistakes(unknown).get(2).toString().contains("risky"));
      Policy byParameter = policy().by(By.KEY).keys("param:id").build();
      assertEquals(1, source.context.mistakes(byParameter).size(), "methods alone have these");
      Policy byPath = policy().by(By.KEY).keys("path:id").build();
      assertEquals(List.of(), source.context.mistakes(byPath));
    }
  }

  private static PolicyBuilder policy() {
    return Policy.builder("rule").limit(1).window(Duration.ofMinutes(1));
  }

  @Test
  void itsLinesGoBelowTheTable() {
    String without;
    try (WeirRuntime weir = builder(Map.of()).build()) {
      without = weir.table();
    }
    try (WeirRuntime weir = builder(Map.of()).policySource(new Source()).build()) {
      assertEquals(without + "rule api.posts-60s\nrule all\n", weir.table());
    }
  }
}
