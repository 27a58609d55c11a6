package io.weir.adapter;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.weir.WeirBuilder;
import java.util.Arrays;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class WeirPartsTest {
  /** A part stands last among the parameters of a method of the builder, after its name if any. */
  @Test
  void areAllThatTheBuilderTakes() {
    Set<Class<?>> taken =
        Arrays.stream(WeirBuilder.class.getMethods())
            .filter(each -> each.getParameterCount() > 0)
            .map(each -> each.getParameterTypes()[each.getParameterCount() - 1])
            .filter(each -> each.getName().startsWith("io.weir."))
            .collect(Collectors.toSet());
    assertEquals(taken, Set.copyOf(WeirParts.types()));
  }
}
