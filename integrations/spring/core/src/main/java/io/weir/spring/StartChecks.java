package io.weir.spring;

import io.weir.InvalidPolicyException;
import io.weir.InvalidSettingException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;

/** Runs the checks of all adapters, and throws their mistakes together. */
final class StartChecks implements SmartInitializingSingleton {
  private final ObjectProvider<StartCheck> checks;

  StartChecks(ObjectProvider<StartCheck> checks) {
    this.checks = checks;
  }

  @Override
  public void afterSingletonsInstantiated() {
    Set<String> settings = new LinkedHashSet<>();
    List<InvalidPolicyException> policies = new ArrayList<>();
    checks
        .orderedStream()
        .forEach(
            check -> {
              try {
                check.check();
              } catch (InvalidPolicyException mistakes) {
                policies.add(mistakes);
              } catch (InvalidSettingException mistakes) {
                settings.addAll(String.valueOf(mistakes.getMessage()).lines().toList());
              }
            });
    if (!settings.isEmpty()) {
      InvalidSettingException all =
          new InvalidSettingException(String.join(System.lineSeparator(), settings));
      policies.forEach(all::addSuppressed);
      throw all;
    }
    InvalidPolicyException.throwIfAny(
        policies.stream().flatMap(each -> each.mistakes().stream()).toList());
  }
}
