package io.weir.internal.rules.rulebook;

import io.weir.Policy;
import io.weir.PolicyMistake;
import io.weir.spi.SourceContext;
import java.util.Collection;
import java.util.List;

/** The context of rules in a running application. */
record ApplicationRulebookContext(SourceContext application) implements RulebookContext {
  private static final String UTC = "UTC";

  static final RulebookContext NONE =
      new RulebookContext() {
        @Override
        public String zone() {
          return UTC;
        }

        @Override
        public Collection<Policy> boundPolicies() {
          return List.of();
        }

        @Override
        public List<PolicyMistake> mistakes(Policy policy) {
          return List.of();
        }

        @Override
        public boolean hasKeys() {
          return false;
        }

        @Override
        public long cost(String method) {
          return 1;
        }
      };

  @Override
  public String zone() {
    String zone = application.setting("weir.zone");
    return zone.isEmpty() ? UTC : zone;
  }

  @Override
  public Collection<Policy> boundPolicies() {
    return application.boundPolicies();
  }

  @Override
  public List<PolicyMistake> mistakes(Policy policy) {
    return application.mistakes(policy);
  }

  @Override
  public boolean hasKeys() {
    return !application.setting("weir.rules.caller").isEmpty();
  }

  @Override
  public long cost(String method) {
    return application.cost(method).orElse(1);
  }
}
