package io.weir.cdi;

import io.weir.adapter.Adapter;
import io.weir.adapter.LimitedCall;
import java.lang.reflect.Method;

/** Finds the way in which the calls of a method are limited, by what it returns. */
final class Invocations {
  private static final boolean MUTINY = isPresent("io.smallrye.mutiny.Uni");

  private Invocations() {}

  static LimitedInvocation of(Method method, LimitedCall call, Adapter limits) {
    return MUTINY ? MutinyInvocations.of(method, call, limits) : new PlainInvocation(call);
  }

  private static boolean isPresent(String type) {
    try {
      Class.forName(type, false, Invocations.class.getClassLoader());
      return true;
    } catch (ClassNotFoundException | LinkageError absent) {
      return false;
    }
  }
}
