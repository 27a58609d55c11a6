package io.weir.internal.rules.rulebook;

import io.weir.Policy;
import io.weir.PolicyMistake;
import io.weir.access.AccessSubject;
import io.weir.spi.SourceContext;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/**
 * The context of rules in a running application.
 *
 * @param application its settings and policies, which are read with each call
 */
public record ApplicationRulebookContext(SourceContext application) implements RulebookContext {
  private static final String UTC = "UTC";

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
  public Optional<String> mistake(AccessSubject subject) {
    return application.mistake(subject);
  }

  @Override
  public boolean conditionNeedsUser(String condition) {
    return application.conditionNeedsUser(condition);
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
