package io.weir.internal.rules.assembly;

import io.weir.Decision;
import io.weir.Policy;
import io.weir.spi.AppliedPolicies;
import io.weir.spi.CallerTier;
import io.weir.spi.DecisionPhase;
import io.weir.spi.PolicySource;
import io.weir.spi.RequestInfo;
import io.weir.spi.SourceContext;
import java.util.List;
import java.util.concurrent.CompletionStage;

/** Brings the rules to one application, and tells the rules which one it is. */
final class RulesSource implements PolicySource {
  private final DefaultRules rules;
  private final PolicySource requests;

  RulesSource(DefaultRules rules, PolicySource requests) {
    this.rules = rules;
    this.requests = requests;
  }

  DefaultRules rules() {
    return rules;
  }

  @Override
  public CompletionStage<AppliedPolicies> policies(
      RequestInfo request, CallerTier tier, DecisionPhase phase, List<Policy> bound) {
    return requests.policies(request, tier, phase, bound);
  }

  @Override
  public void completed(RequestInfo request, Decision decision) {
    requests.completed(request, decision);
  }

  @Override
  public void start(SourceContext application) {
    requests.start(application);
    rules.application(application);
  }

  @Override
  public void onChange(Runnable listener) {
    rules.onChange(listener);
  }

  @Override
  public List<String> describe() {
    return requests.describe();
  }

  @Override
  public void close() {
    requests.close();
    rules.close();
  }
}
