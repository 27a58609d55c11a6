package io.weir.compat.rules;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.TestInstance;

/** Runs all tests of rules over HTTP; the server is started once for all of them. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class HttpRuleSuite
    implements MatchTests,
        PatternTests,
        PolicyOverrideRuleTests,
        RulePhaseTests,
        RuleCostTests,
        RuleClearTests,
        RuleBucketTests,
        RuleBodyTests,
        RuleWireTests {
  private RuleApp app;

  /** Starts the server under test. */
  abstract RuleApp.Serving start(io.weir.Weir weir) throws Exception;

  @BeforeAll
  void startApp() throws Exception {
    app = RuleApp.start(this::start);
  }

  @BeforeEach
  void forget() {
    app.forget();
  }

  @AfterAll
  void stopApp() throws Exception {
    app.close();
  }

  @Override
  public RuleApp app() {
    return app;
  }
}
