package io.weir.spring.method;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.Serializable;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.IntSupplier;
import org.junit.jupiter.api.Test;

/** Calls on {@code this} among code of all kinds. */
@SuppressWarnings("unused") // only the class file is read
class SelfCallsTest {
  static class Target {
    private Target other = this;
    private long wide;
    private double[] numbers = {1};
    private final List<String> names = List.of("a");

    String ping(String text, long number, double real) {
      return text + number + real;
    }

    int count() {
      return 1;
    }
  }

  /** Each method calls one of the two, on this. */
  static class OnThis extends Target {
    String nested(boolean flag) {
      return ping(flag ? ping("a", 1, 2) : "b", flag ? 1L : 2L, Math.max(1, 2.0));
    }

    int inALoop(List<String> all) {
      int sum = 0;
      for (String each : all) {
        sum +=
            switch (each) {
              case "a" -> count();
              case "b" -> 2;
              default -> throw new IllegalStateException(each);
            };
      }
      return sum;
    }

    int afterAnException(Object object) {
      try {
        return Integer.parseInt(object.toString());
      } catch (NumberFormatException | NullPointerException wrong) {
        return count();
      } finally {
        object.hashCode();
      }
    }

    long amongWideValues(long[] values, double real) {
      values[0] += (long) (real * 2) << 3;
      return values[0]++ + (values[0] > 3 ? count() : 0);
    }

    synchronized int inASynchronizedBlock() {
      synchronized (names()) {
        return new int[2][3].length + count();
      }
    }

    List<String> names() {
      return List.of();
    }

    IntSupplier byReference() {
      return this::count;
    }

    BiFunction<String, Long, String> inALambda(double real) {
      return (BiFunction<String, Long, String> & Serializable)
          (text, number) -> ping(text, number, real);
    }

    int casted() {
      Object self = this;
      return ((Target) self).count();
    }

    int bySuper() {
      return super.count();
    }
  }

  /** No method calls anything of the class on this. */
  static class OnOthers extends Target {
    private final Target another = new Target();

    int ofAField() {
      return another.count() + ((OnOthers) (Object) another).another.count();
    }

    int ofAParameter(Target given) {
      return given.count();
    }

    int ofAChoice(Target given, boolean flag) {
      return (flag ? this : given).count();
    }

    IntSupplier byReference(Target given) {
      return given::count;
    }

    String withThisAsArgument(StringBuilder text) {
      return text.append(this).append(1L).toString();
    }

    int reassigned(Target given) {
      Target self = this;
      self = given;
      return self.count();
    }

    static int ofNoObject(Target given) {
      return given.count();
    }
  }

  private static List<String> calls(Class<?> type) {
    return SelfCalls.in(ClassFiles.read(type).orElseThrow()).stream()
        .filter(each -> each.name().equals("ping") || each.name().equals("count"))
        .map(SelfCalls.Call::writtenIn)
        .sorted()
        .toList();
  }

  @Test
  void allCallsOnThisAreFound() {
    assertEquals(
        List.of(
            "afterAnException",
            "amongWideValues",
            "byReference",
            "bySuper",
            "casted",
            "inALambda",
            "inALoop",
            "inASynchronizedBlock",
            "nested",
            "nested"),
        calls(OnThis.class));
  }

  @Test
  void callsOnOtherObjectsAreNot() {
    assertEquals(List.of(), calls(OnOthers.class));
  }
}
