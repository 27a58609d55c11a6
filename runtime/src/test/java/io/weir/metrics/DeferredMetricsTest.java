package io.weir.metrics;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.spi.DecisionMetrics;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** Metrics that begin later pass on everything from then on, and what is held also before. */
class DeferredMetricsTest {
  private final List<String> calls = new ArrayList<>();
  private final DecisionMetrics behind =
      (DecisionMetrics)
          Proxy.newProxyInstance(
              getClass().getClassLoader(),
              new Class<?>[] {DecisionMetrics.class},
              (proxy, method, arguments) -> {
                calls.add(method.getName());
                return null;
              });
  private final DeferredMetrics metrics = new DeferredMetrics();

  private static List<Method> measured() {
    return Arrays.stream(DecisionMetrics.class.getMethods())
        .filter(each -> each.getReturnType() == void.class)
        .toList();
  }

  private void callAll() throws ReflectiveOperationException {
    for (Method each : measured()) {
      Object[] arguments =
          Arrays.stream(each.getParameterTypes()).map(DeferredMetricsTest::any).toArray();
      each.invoke(metrics, arguments);
    }
  }

  private static Object any(Class<?> type) {
    if (type == boolean.class) {
      return true;
    }
    if (type == int.class) {
      return 1;
    }
    return type == long.class ? 1L : null;
  }

  @Test
  void everyCallIsPassedOn() throws ReflectiveOperationException {
    metrics.begin(() -> behind);
    callAll();
    TreeSet<String> expected = new TreeSet<>();
    measured().forEach(each -> expected.add(each.getName()));
    assertTrue(expected.contains("regions"), expected::toString);
    assertEquals(expected, new TreeSet<>(calls));
  }

  @Test
  void onlyHeldBucketsAndRegionsOfBeforeAreMeasured() {
    metrics.took(1);
    metrics.bucketsHeld(() -> 1);
    metrics.regions(List::of);
    metrics.begin(() -> behind);
    metrics.begin(
        () -> {
          throw new AssertionError("it has begun");
        });
    assertEquals(List.of("bucketsHeld", "regions"), calls);
  }
}
