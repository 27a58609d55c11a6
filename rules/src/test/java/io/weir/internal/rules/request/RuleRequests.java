package io.weir.internal.rules.request;

import static io.weir.spi.DecisionPhase.AFTER_AUTHENTICATION;
import static io.weir.spi.DecisionPhase.BEFORE_AUTHENTICATION;

import io.weir.Decision;
import io.weir.Weir;
import io.weir.adapter.EndpointType;
import io.weir.adapter.Refusal;
import io.weir.internal.application.WeirRuntime;
import io.weir.internal.guard.GuardedEndpoint;
import io.weir.internal.guard.GuardedRequest;
import io.weir.internal.rules.anomalies.EnforcedAnomalies;
import io.weir.internal.rules.callers.CallerProfileCache;
import io.weir.internal.rules.callers.CallerRowReader;
import io.weir.internal.rules.quotas.QuotaAccount;
import io.weir.internal.rules.rulebook.Rulebook;
import io.weir.internal.rules.rulebook.RulebookContext;
import io.weir.internal.rules.rulebook.UnusableRule;
import io.weir.internal.rules.rulebook.compile.CompiledRulebook;
import io.weir.internal.rules.rulebook.compile.RulebookCompiler;
import io.weir.internal.rules.rulebook.compile.RulebookInput;
import io.weir.internal.rules.usage.FinishedRequest;
import io.weir.rules.OperationCost;
import io.weir.rules.PolicySwitch;
import io.weir.rules.Rule;
import io.weir.rules.problem.RuleProblem;
import io.weir.rules.tier.UserTier;
import io.weir.spi.CallerTier;
import io.weir.spi.RequestInfo;
import io.weir.spi.TierResolver;
import io.weir.testkit.FakeRequest;
import io.weir.testkit.FakeTicker;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

/** Sends requests through the rules of a test, in an application without a server. */
final class RuleRequests implements AutoCloseable, CallerRowReader {
  final FakeTicker ticker = new FakeTicker();
  final Map<String, UserTier> users = new ConcurrentHashMap<>();
  final Map<String, QuotaAccount> accounts = new ConcurrentHashMap<>();
  final List<Collection<String>> lookedUp = new ArrayList<>();
  final List<Rule> rules = new ArrayList<>();
  final List<OperationCost> costs = new ArrayList<>();
  final List<PolicySwitch> switches = new ArrayList<>();
  final List<UnusableRule> unreadable = new ArrayList<>();
  final Map<String, String> settings = new HashMap<>();
  final EnforcedAnomalies anomalies = new EnforcedAnomalies();
  final List<FinishedRequest> finished = new CopyOnWriteArrayList<>();
  List<RuleProblem> problems = List.of();
  volatile boolean isAway;
  CallerSettings callers = CallerSettings.DEFAULT;
  CallerTier tier = CallerTier.none();
  CallerProfileCache directory;
  RulePolicySource source;
  private volatile Rulebook book = Rulebook.empty();
  private Weir weir;

  @Override
  public Map<String, UserTier> read(Collection<String> userIds) {
    lookedUp.add(List.copyOf(userIds));
    if (isAway) {
      throw new IllegalStateException("away, on purpose");
    }
    Map<String, UserTier> found = new HashMap<>(users);
    found.keySet().retainAll(userIds);
    return found;
  }

  @Override
  public Map<String, QuotaAccount> quotas(Collection<String> userIds) {
    Map<String, QuotaAccount> found = new HashMap<>(accounts);
    found.keySet().retainAll(userIds);
    return found;
  }

  RuleRequests rule(Rule rule) {
    rules.removeIf(each -> rule.id() > 0 && each.id() == rule.id());
    rules.add(rule.toBuilder().row(rule.id() > 0 ? rule.id() : rules.size() + 1, 1).build());
    return this;
  }

  /** A rule of so many a minute. */
  RuleRequests rule(String tier, String pattern, long limit) {
    return rule(Rule.builder(tier, pattern).limit(limit).build());
  }

  RuleRequests set(String setting, String value) {
    settings.put(setting, value);
    return this;
  }

  RuleRequests user(String name, String tier) {
    users.put(name, UserTier.of(name, tier));
    return this;
  }

  /** Puts what was changed in force. */
  RuleRequests apply() {
    CompiledRulebook compiled =
        RulebookCompiler.compile(
            new RulebookInput(rules, costs, switches, Map.of(), unreadable, RulebookContext.NONE));
    book = compiled.rulebook();
    problems = compiled.problems();
    if (directory != null) {
      directory.dropAll();
    }
    return this;
  }

  /** The application, once it has started. */
  Weir weir() {
    return weir;
  }

  RuleRequests start() {
    apply();
    directory =
        new CallerProfileCache(this, 1_000, Duration.ofMinutes(1), Duration.ofMinutes(1), ticker);
    source =
        new RulePolicySource(
            () -> book,
            directory,
            any -> callers,
            finished::add,
            new QuotaPolicyFactory(directory, (user, period) -> 0, (user, counter, done) -> {}),
            anomalies);
    settings.putIfAbsent("weir.store.timeout", "10s");
    weir =
        Weir.builder()
            .ticker(ticker)
            .settings(settings)
            .policySource(source)
            .tierResolver(
                new TierResolver() {
                  @Override
                  public CallerTier resolve(RequestInfo request, io.weir.Policy policy) {
                    return CallerTier.none();
                  }

                  @Override
                  public CallerTier tier(RequestInfo request) {
                    return tier;
                  }
                })
            .build();
    return this;
  }

  Rulebook book() {
    return book;
  }

  /** The outcome of a request. */
  record Outcome(Optional<Refusal> refusal, GuardedRequest request) {
    boolean isAdmitted() {
      return refusal.isEmpty();
    }

    boolean isDecided() {
      return request.isDecided();
    }

    Decision decision() {
      return request.decision();
    }

    /** Limits by policy. */
    Map<String, Long> limits() {
      Map<String, Long> limits = new HashMap<>();
      if (isDecided()) {
        decision().parts().forEach(each -> limits.put(each.policy().name(), each.limit()));
      }
      return limits;
    }

    Map<String, Long> permits() {
      Map<String, Long> permits = new HashMap<>();
      decision().parts().forEach(each -> permits.put(each.policy().name(), each.permits()));
      return permits;
    }
  }

  /** A request at an endpoint without annotations. */
  Outcome send(FakeRequest request) {
    return send(request, runtime().withoutClass());
  }

  /** A request at an annotated method. */
  Outcome send(FakeRequest request, Class<?> type, String method) {
    try {
      return send(request, runtime().endpoint(type, type.getMethod(method), EndpointType.SERVLET));
    } catch (NoSuchMethodException mistake) {
      throw new AssertionError(mistake);
    }
  }

  WeirRuntime runtime() {
    return WeirRuntime.of(weir);
  }

  private static Outcome send(FakeRequest request, GuardedEndpoint endpoint) {
    GuardedRequest guarded = endpoint.enter(request);
    Optional<Refusal> refusal = guarded.decide(BEFORE_AUTHENTICATION);
    if (refusal.isEmpty()) {
      refusal = guarded.decide(AFTER_AUTHENTICATION);
    }
    return new Outcome(refusal, guarded);
  }

  /** Sends requests, and counts the admitted ones. */
  int admitted(int requests, java.util.function.Supplier<FakeRequest> request) {
    int admitted = 0;
    for (int i = 0; i < requests; i++) {
      admitted += send(request.get()).isAdmitted() ? 1 : 0;
    }
    return admitted;
  }

  /** A request of which nothing but endpoint and method may be read. */
  static RequestInfo nameOnly(String endpoint) {
    return (RequestInfo)
        Proxy.newProxyInstance(
            RequestInfo.class.getClassLoader(),
            new Class<?>[] {RequestInfo.class},
            (proxy, method, arguments) ->
                switch (method.getName()) {
                  case "endpoint" -> endpoint;
                  case "answeredMethod" -> "GET";
                  case "hasTemplate" -> false;
                  default -> throw new AssertionError("read " + method.getName());
                });
  }

  static FakeRequest get(String endpoint) {
    return FakeRequest.from("192.0.2.1").endpoint(endpoint);
  }

  static FakeRequest get(String endpoint, String user) {
    return get(endpoint).user(user);
  }

  static FakeRequest keyed(String endpoint, String key) {
    return get(endpoint).header("X-Api-Key", key);
  }

  @Override
  public void close() {
    if (weir != null) {
      weir.close();
      directory.close();
    }
  }
}
