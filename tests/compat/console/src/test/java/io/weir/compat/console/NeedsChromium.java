package io.weir.compat.console;

import io.weir.seeds.RequiredPrograms;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.nio.file.Files;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;

/** Leaves out tests where there is no browser, and says so; ends the browsers after all tests. */
@Inherited
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
@ExtendWith(NeedsChromium.Condition.class)
@interface NeedsChromium {
  /** Looks for the files of Debian's packages. */
  final class Condition implements ExecutionCondition, BeforeAllCallback {
    @Override
    public void beforeAll(ExtensionContext context) {
      context
          .getRoot()
          .getStore(Namespace.create(Browsers.class))
          .computeIfAbsent("browsers", key -> new Browsers(), Browsers.class);
    }

    @Override
    public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
      if (RequiredPrograms.areAllowed()
          && Files.isExecutable(Browser.CHROMIUM)
          && Files.isExecutable(Browser.DRIVER)) {
        return ConditionEvaluationResult.enabled("there is a browser");
      }
      return ConditionEvaluationResult.disabled(
          RequiredPrograms.reportMissing(
              Browser.CHROMIUM
                  + " and "
                  + Browser.DRIVER
                  + " (apt-get install chromium chromium-driver)"));
    }
  }
}
