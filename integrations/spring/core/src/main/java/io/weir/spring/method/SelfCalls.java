package io.weir.spring.method;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.asm.ClassReader;
import org.springframework.asm.ClassVisitor;
import org.springframework.asm.MethodVisitor;
import org.springframework.asm.Opcodes;
import org.springframework.asm.SpringAsmInfo;

/**
 * Finds the calls that a class makes on {@code this}, which no proxy sees.
 *
 * <p>Found are calls in methods, constructors, initializers and lambdas of the class, and method
 * references such as {@code this::send}, where the object is {@code this} or a variable that it was
 * assigned to. Not found are calls through a field, a parameter or the result of a method, which
 * may be the proxy, and those in inner classes.
 */
final class SelfCalls {
  /** Matches the name that the compiler gives to the body of a lambda. */
  private static final Pattern LAMBDA = Pattern.compile("^lambda\\$([^$]+)\\$.*");

  /**
   * A call on {@code this}.
   *
   * @param caller the name of the method that makes it
   * @param name the name of the method that is called
   * @param ofSuper whether it is a call by {@code super} or of a private method
   */
  record Call(
      String caller, String callerDescriptor, String name, String descriptor, boolean ofSuper) {
    /** Returns the name of the method in the source: that around a lambda. */
    String writtenIn() {
      return LAMBDA.matcher(caller).replaceFirst("$1");
    }

    /** Returns whether an override calls what it overrides. */
    boolean isOfOverridden() {
      return ofSuper && caller.equals(name) && callerDescriptor.equals(descriptor);
    }
  }

  private SelfCalls() {}

  /**
   * Reads a class file.
   *
   * @return the calls in their order
   * @throws RuntimeException if the file is newer than Spring can read
   */
  static List<Call> in(byte[] file) {
    List<Call> found = new ArrayList<>();
    new ClassReader(file)
        .accept(
            new ClassVisitor(SpringAsmInfo.ASM_VERSION) {
              @Override
              public @Nullable MethodVisitor visitMethod(
                  int access,
                  String name,
                  String descriptor,
                  String signature,
                  String[] exceptions) {
                boolean skipped = (access & (Opcodes.ACC_STATIC | Opcodes.ACC_BRIDGE)) != 0;
                return skipped ? null : new SelfCallVisitor(name, descriptor, found::add);
              }
            },
            ClassReader.SKIP_DEBUG | ClassReader.SKIP_FRAMES);
    return found;
  }
}
