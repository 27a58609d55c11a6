package io.weir.spring.method;

import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.springframework.asm.ConstantDynamic;
import org.springframework.asm.Handle;
import org.springframework.asm.Label;
import org.springframework.asm.MethodVisitor;
import org.springframework.asm.Opcodes;
import org.springframework.asm.SpringAsmInfo;
import org.springframework.asm.Type;

/**
 * Follows which entries of the operand stack are {@code this} through the code of one method.
 *
 * <p>Where branches meet, an entry is {@code this} if it is so on all of them that come from above.
 */
final class SelfCallVisitor extends MethodVisitor {
  private final String method;
  private final String descriptor;
  private final Consumer<SelfCalls.Call> found;

  /** The variables that hold {@code this}. */
  private final BitSet variables = new BitSet();

  /** The entries of the stack that are {@code this}; a long or double takes two. */
  private BitSet stack = new BitSet();

  private int depth;
  private boolean reachable = true;
  private final Map<Label, Branch> branches = new HashMap<>();
  private final Set<Label> handlers = new HashSet<>();

  SelfCallVisitor(String method, String descriptor, Consumer<SelfCalls.Call> found) {
    super(SpringAsmInfo.ASM_VERSION);
    this.method = method;
    this.descriptor = descriptor;
    this.found = found;
    variables.set(0);
  }

  @Override
  public void visitInsn(int opcode) {
    switch (opcode) {
      case Opcodes.DUP -> copy(1, 0);
      case Opcodes.DUP_X1 -> copy(1, 1);
      case Opcodes.DUP_X2 -> copy(1, 2);
      case Opcodes.DUP2 -> copy(2, 0);
      case Opcodes.DUP2_X1 -> copy(2, 1);
      case Opcodes.DUP2_X2 -> copy(2, 2);
      case Opcodes.SWAP -> {
        boolean top = stack.get(depth - 1);
        stack.set(depth - 1, depth > 1 && stack.get(depth - 2));
        stack.set(Math.max(0, depth - 2), top);
      }
      default -> {
        pop(POPPED[opcode]);
        push(PUSHED[opcode]);
        reachable &= opcode != Opcodes.ATHROW && !isReturn(opcode);
      }
    }
  }

  private static boolean isReturn(int opcode) {
    return opcode >= Opcodes.IRETURN && opcode <= Opcodes.RETURN;
  }

  @Override
  public void visitIntInsn(int opcode, int operand) {
    if (opcode == Opcodes.NEWARRAY) {
      pop(1);
    }
    push(1);
  }

  @Override
  public void visitVarInsn(int opcode, int variable) {
    switch (opcode) {
      case Opcodes.ALOAD -> {
        push(1);
        stack.set(depth - 1, variables.get(variable));
      }
      case Opcodes.ILOAD, Opcodes.FLOAD -> push(1);
      case Opcodes.LLOAD, Opcodes.DLOAD -> push(2);
      case Opcodes.ASTORE -> {
        variables.set(variable, depth > 0 && stack.get(depth - 1));
        pop(1);
      }
      case Opcodes.ISTORE, Opcodes.FSTORE -> {
        variables.clear(variable);
        pop(1);
      }
      case Opcodes.LSTORE, Opcodes.DSTORE -> {
        variables.clear(variable, variable + 2);
        pop(2);
      }
      default -> {} // RET, which no compiler writes any more
    }
  }

  @Override
  public void visitTypeInsn(int opcode, String type) {
    switch (opcode) {
      case Opcodes.NEW -> push(1);
      case Opcodes.CHECKCAST -> {} // the same object
      default -> {
        pop(1);
        push(1);
      }
    }
  }

  @Override
  public void visitFieldInsn(int opcode, String owner, String name, String type) {
    int size = Type.getType(type).getSize();
    switch (opcode) {
      case Opcodes.GETSTATIC -> push(size);
      case Opcodes.PUTSTATIC -> pop(size);
      case Opcodes.GETFIELD -> {
        pop(1);
        push(size);
      }
      default -> pop(1 + size);
    }
  }

  @Override
  public void visitMethodInsn(
      int opcode, String owner, String name, String called, boolean ofInterface) {
    int arguments = argumentsSize(called);
    if (opcode != Opcodes.INVOKESTATIC) {
      if (isThis(arguments)) {
        found.accept(
            new SelfCalls.Call(method, descriptor, name, called, opcode == Opcodes.INVOKESPECIAL));
      }
      arguments++;
    }
    pop(arguments);
    push(Type.getReturnType(called).getSize());
  }

  @Override
  public void visitInvokeDynamicInsn(
      String name, String type, Handle bootstrap, Object... bootstrapArguments) {
    int arguments = argumentsSize(type);
    if (arguments > 0 && isThis(arguments - 1)) {
      Arrays.stream(bootstrapArguments)
          .filter(Handle.class::isInstance)
          .map(Handle.class::cast)
          .filter(each -> each.getTag() != Opcodes.H_INVOKESTATIC)
          .forEach(
              each ->
                  found.accept(
                      new SelfCalls.Call(
                          method, descriptor, each.getName(), each.getDesc(), false)));
    }
    pop(arguments);
    push(Type.getReturnType(type).getSize());
  }

  private static int argumentsSize(String called) {
    int size = 0;
    for (Type each : Type.getArgumentTypes(called)) {
      size += each.getSize();
    }
    return size;
  }

  @Override
  public void visitLdcInsn(Object value) {
    boolean wide =
        value instanceof Long
            || value instanceof Double
            || value instanceof ConstantDynamic dynamic && dynamic.getSize() == 2;
    push(wide ? 2 : 1);
  }

  @Override
  public void visitMultiANewArrayInsn(String type, int dimensions) {
    pop(dimensions);
    push(1);
  }

  @Override
  public void visitTryCatchBlock(Label start, Label end, Label handler, @Nullable String type) {
    handlers.add(handler);
  }

  @Override
  public void visitJumpInsn(int opcode, Label target) {
    switch (opcode) {
      case Opcodes.GOTO -> {}
      case Opcodes.JSR -> push(1);
      case Opcodes.IFNULL, Opcodes.IFNONNULL -> pop(1);
      default -> pop(opcode >= Opcodes.IF_ICMPEQ ? 2 : 1);
    }
    branchTo(target);
    reachable &= opcode != Opcodes.GOTO;
  }

  @Override
  public void visitTableSwitchInsn(int min, int max, Label otherwise, Label... targets) {
    branchAll(otherwise, targets);
  }

  @Override
  public void visitLookupSwitchInsn(Label otherwise, int[] keys, Label[] targets) {
    branchAll(otherwise, targets);
  }

  private void branchAll(Label otherwise, Label[] targets) {
    pop(1);
    branchTo(otherwise);
    for (Label each : targets) {
      branchTo(each);
    }
    reachable = false;
  }

  private void branchTo(Label target) {
    branches.merge(
        target, new Branch(copy(stack), copy(variables), depth), (before, now) -> before.meet(now));
  }

  @Override
  public void visitLabel(Label label) {
    if (handlers.contains(label)) {
      become(new Branch(new BitSet(), copy(variables), 1)); // the exception
      return;
    }
    Branch branch = branches.get(label);
    if (branch != null) {
      become(reachable ? branch.meet(new Branch(stack, variables, depth)) : branch);
    } else if (!reachable) {
      become(new Branch(new BitSet(), copy(variables), 0)); // a jump from below leads here
    }
  }

  private void become(Branch branch) {
    stack = copy(branch.stack());
    depth = branch.depth();
    BitSet kept = copy(branch.variables());
    variables.clear();
    variables.or(kept);
    reachable = true;
  }

  private boolean isThis(int below) {
    int at = depth - 1 - below;
    return at >= 0 && stack.get(at);
  }

  private void push(int entries) {
    stack.clear(depth, depth + entries);
    depth += entries;
  }

  private void pop(int entries) {
    depth = Math.max(0, depth - entries);
    stack.clear(depth, stack.length() + depth);
  }

  /** Copies the entries at the top, and inserts them below others. */
  private void copy(int entries, int below) {
    int from = Math.max(0, depth - entries - below);
    BitSet before = stack.get(from, Math.max(from, depth)); // the lower ones, then the top
    int held = depth - from;
    int top = Math.max(0, held - entries);
    BitSet after = new BitSet();
    for (int at = 0; at < entries; at++) {
      after.set(at, before.get(top + at));
      after.set(entries + top + at, before.get(top + at));
    }
    for (int at = 0; at < top; at++) {
      after.set(entries + at, before.get(at));
    }
    depth = from + held + entries;
    stack.clear(from, depth);
    for (int at = after.nextSetBit(0); at >= 0; at = after.nextSetBit(at + 1)) {
      stack.set(from + at);
    }
  }

  private static BitSet copy(BitSet bits) {
    return (BitSet) bits.clone();
  }

  /** The state where a branch leads. */
  private record Branch(BitSet stack, BitSet variables, int depth) {
    Branch meet(Branch other) {
      BitSet both = copy(stack);
      both.and(other.stack);
      BitSet kept = copy(variables);
      kept.and(other.variables);
      return new Branch(both, kept, Math.min(depth, other.depth));
    }

    private static BitSet copy(BitSet bits) {
      return (BitSet) bits.clone();
    }
  }

  /** The entries that each instruction without operands pops, by its opcode. */
  private static final int[] POPPED = new int[Opcodes.MONITOREXIT + 1];

  /** The entries that it pushes. */
  private static final int[] PUSHED = new int[Opcodes.MONITOREXIT + 1];

  static {
    effect(0, 1, Opcodes.ACONST_NULL, Opcodes.ICONST_5);
    effect(0, 2, Opcodes.LCONST_0, Opcodes.LCONST_1);
    effect(0, 1, Opcodes.FCONST_0, Opcodes.FCONST_2);
    effect(0, 2, Opcodes.DCONST_0, Opcodes.DCONST_1);
    effect(2, 1, Opcodes.IALOAD, Opcodes.SALOAD);
    effect(2, 2, Opcodes.LALOAD, Opcodes.LALOAD);
    effect(2, 2, Opcodes.DALOAD, Opcodes.DALOAD);
    effect(3, 0, Opcodes.IASTORE, Opcodes.SASTORE);
    effect(4, 0, Opcodes.LASTORE, Opcodes.LASTORE);
    effect(4, 0, Opcodes.DASTORE, Opcodes.DASTORE);
    effect(1, 0, Opcodes.POP, Opcodes.POP);
    effect(2, 0, Opcodes.POP2, Opcodes.POP2);
    // IADD, LADD, FADD, DADD, ISUB … DREM: of int, long, float and double in turn
    for (int at = Opcodes.IADD; at <= Opcodes.DREM; at++) {
      boolean wide = (at - Opcodes.IADD) % 2 == 1;
      effect(wide ? 4 : 2, wide ? 2 : 1, at, at);
    }
    for (int at = Opcodes.ISHL; at <= Opcodes.LUSHR; at++) {
      boolean wide = (at - Opcodes.ISHL) % 2 == 1;
      effect(wide ? 3 : 2, wide ? 2 : 1, at, at);
    }
    for (int at = Opcodes.IAND; at <= Opcodes.LXOR; at++) {
      boolean wide = (at - Opcodes.IAND) % 2 == 1;
      effect(wide ? 4 : 2, wide ? 2 : 1, at, at);
    }
    widen(Opcodes.I2L, Opcodes.I2D, Opcodes.F2L, Opcodes.F2D);
    narrow(Opcodes.L2I, Opcodes.L2F, Opcodes.D2I, Opcodes.D2F);
    effect(4, 1, Opcodes.LCMP, Opcodes.LCMP);
    effect(2, 1, Opcodes.FCMPL, Opcodes.FCMPG);
    effect(4, 1, Opcodes.DCMPL, Opcodes.DCMPG);
    effect(1, 1, Opcodes.ARRAYLENGTH, Opcodes.ARRAYLENGTH);
    effect(1, 0, Opcodes.MONITORENTER, Opcodes.MONITOREXIT);
  }

  private static void effect(int popped, int pushed, int first, int last) {
    Arrays.fill(POPPED, first, last + 1, popped);
    Arrays.fill(PUSHED, first, last + 1, pushed);
  }

  private static void widen(int... opcodes) {
    for (int each : opcodes) {
      effect(1, 2, each, each);
    }
  }

  private static void narrow(int... opcodes) {
    for (int each : opcodes) {
      effect(2, 1, each, each);
    }
  }
}
