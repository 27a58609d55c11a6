package io.weir.seeds;

import java.lang.reflect.Method;
import java.util.Comparator;
import java.util.List;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.platform.commons.annotation.Testable;
import org.junit.platform.commons.support.AnnotationSupport;
import org.junit.platform.commons.support.HierarchyTraversalMode;

/** Skips tests that are {@link DeepOnly}, or whose turn is another day ({@link RunOneIn}). */
final class TurnCondition implements ExecutionCondition {
  private static final ConditionEvaluationResult RUNS = ConditionEvaluationResult.enabled(null);

  @Override
  public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
    if (Seeds.deep()) {
      return RUNS;
    }
    if (AnnotationSupport.isAnnotated(context.getElement(), DeepOnly.class)) {
      return ConditionEvaluationResult.disabled("-Pdeep runs it");
    }
    return context.getTestMethod().map(method -> evaluate(context, method)).orElse(RUNS);
  }

  private static ConditionEvaluationResult evaluate(ExtensionContext context, Method method) {
    Class<?> tests = context.getRequiredTestClass();
    return AnnotationSupport.findAnnotation(tests, RunOneIn.class)
        .filter(oneIn -> takesTurns(tests, method, oneIn))
        .filter(oneIn -> !today(tests, oneIn).contains(method))
        .map(oneIn -> ConditionEvaluationResult.disabled("another day's turn; -Pdeep runs all"))
        .orElse(RUNS);
  }

  /** Inherited methods do: another class may run them as well. */
  private static boolean takesTurns(Class<?> tests, Method method, RunOneIn oneIn) {
    return oneIn.own() || !method.getDeclaringClass().equals(tests);
  }

  /** Returns the test methods that take turns, and whose turn it is today. */
  static List<Method> today(Class<?> tests, RunOneIn oneIn) {
    List<Method> all =
        AnnotationSupport.findAnnotatedMethods(
                tests, Testable.class, HierarchyTraversalMode.TOP_DOWN)
            .stream()
            .filter(each -> takesTurns(tests, each, oneIn))
            .filter(each -> !AnnotationSupport.isAnnotated(each, DeepOnly.class))
            .sorted(Comparator.comparing(Method::getName).thenComparing(Method::toString))
            .toList();
    return all.isEmpty() ? all : Seeds.today(all, Math.min(oneIn.value(), all.size()));
  }
}
