package io.weir.seeds;

import java.lang.reflect.Method;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.platform.commons.annotation.Testable;
import org.junit.platform.commons.support.AnnotationSupport;
import org.junit.platform.commons.support.HierarchyTraversalMode;

/**
 * Skips tests that are {@link DeepOnly}, or whose turn is another day ({@link OneDayIn}, {@link
 * RunOneIn}).
 */
final class TurnCondition implements ExecutionCondition {
  private static final ConditionEvaluationResult RUNS = ConditionEvaluationResult.enabled(null);
  private static final ConditionEvaluationResult WAITS =
      ConditionEvaluationResult.disabled("another day's turn; -Pdeep runs all");

  @Override
  public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
    if (Seeds.deep()) {
      return RUNS;
    }
    if (AnnotationSupport.isAnnotated(context.getElement(), DeepOnly.class)) {
      return ConditionEvaluationResult.disabled("-Pdeep runs it");
    }
    if (!Seeds.takeTurns()) {
      return RUNS;
    }
    Class<?> tests = context.getRequiredTestClass();
    return context
        .getTestMethod()
        .map(method -> evaluate(tests, method))
        .orElseGet(() -> isDayOf(tests, Seeds.turn()) ? RUNS : WAITS);
  }

  /** Returns whether a class has its turn on a day. */
  static boolean isDayOf(Class<?> tests, long day) {
    return Math.floorMod(Seeds.turn(tests.getName()) - day, daysOf(tests)) == 0;
  }

  private static long daysOf(Class<?> tests) {
    return AnnotationSupport.findAnnotation(tests, OneDayIn.class).map(OneDayIn::value).orElse(1);
  }

  private static ConditionEvaluationResult evaluate(Class<?> tests, Method method) {
    return AnnotationSupport.findAnnotation(tests, RunOneIn.class)
        .filter(oneIn -> takesTurns(tests, method, oneIn))
        .filter(oneIn -> !today(tests, oneIn).contains(method))
        .map(oneIn -> WAITS)
        .orElse(RUNS);
  }

  /** Inherited methods do: another class may run them as well. */
  private static boolean takesTurns(Class<?> tests, Method method, RunOneIn oneIn) {
    return oneIn.own() || !method.getDeclaringClass().equals(tests);
  }

  /** Returns the test methods that take turns, and whose turn it is today. */
  static List<Method> today(Class<?> tests, RunOneIn oneIn) {
    List<Method> all = all(tests, oneIn);
    return Seeds.deep() ? all : on(Seeds.turn(), tests, all, oneIn.value());
  }

  /**
   * Returns the methods whose turn it is on a day; if it is nobody's, those that come next. Of
   * several days on which the class runs once, all have the same.
   */
  static List<Method> on(long day, Class<?> tests, List<Method> all, int oneIn) {
    long turn = Math.floorDiv(day, daysOf(tests));
    Map<Long, List<Method>> byWait =
        all.stream()
            .collect(
                Collectors.groupingBy(
                    each -> Math.floorMod(turn(tests, each) - turn, (long) oneIn)));
    return byWait.keySet().stream()
        .min(Comparator.naturalOrder())
        .map(byWait::get)
        .orElse(List.of());
  }

  /** Returns all test methods that take turns. */
  static List<Method> all(Class<?> tests, RunOneIn oneIn) {
    return AnnotationSupport.findAnnotatedMethods(
            tests, Testable.class, HierarchyTraversalMode.TOP_DOWN)
        .stream()
        .filter(each -> takesTurns(tests, each, oneIn))
        .filter(each -> !AnnotationSupport.isAnnotated(each, DeepOnly.class))
        .toList();
  }

  private static long turn(Class<?> tests, Method method) {
    return Seeds.turn(tests.getName() + "#" + method.getName());
  }
}
