package io.weir.internal.writeback.channel;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import org.jspecify.annotations.Nullable;

/** Recognises virtual threads on every Java that Weir runs on; before Java 21 there are none. */
final class VirtualThreadDetector {
  private static final @Nullable MethodHandle IS_VIRTUAL = find();

  private VirtualThreadDetector() {}

  private static @Nullable MethodHandle find() {
    try {
      return MethodHandles.publicLookup()
          .findVirtual(Thread.class, "isVirtual", MethodType.methodType(boolean.class));
    } catch (NoSuchMethodException | IllegalAccessException before21) {
      return null;
    }
  }

  static boolean isCurrent() {
    try {
      return IS_VIRTUAL != null && (boolean) IS_VIRTUAL.invokeExact(Thread.currentThread());
    } catch (Throwable never) { // it only reads a flag
      return true;
    }
  }
}
