package io.weir.cdi;

import jakarta.enterprise.lang.model.declarations.ClassInfo;
import jakarta.enterprise.lang.model.declarations.MethodInfo;
import jakarta.enterprise.lang.model.types.Type;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Finds limits of a bean's class that an interceptor can't enforce, and says why, by name. Woven
 * methods and endpoints of web classes need no interceptor.
 */
final class InterceptionCheck {
  private static final String REMEDY = ", or weave the class with AspectJ";
  private static final String CONTINUATION = "kotlin.coroutines.Continuation";

  /** Results that end later than the method returns, without a way to watch their ends. */
  private static final Set<String> UNWATCHED =
      Set.of(
          "java.util.concurrent.Flow$Publisher",
          "org.reactivestreams.Publisher",
          "io.smallrye.mutiny.Uni",
          "io.reactivex.rxjava3.core.SingleSource",
          "io.reactivex.rxjava3.core.MaybeSource",
          "io.reactivex.rxjava3.core.CompletableSource",
          "io.reactivex.rxjava3.core.ObservableSource",
          "kotlinx.coroutines.flow.Flow");

  private static final Set<String> WATCHED =
      Set.of("io.smallrye.mutiny.Uni", "io.smallrye.mutiny.Multi");

  private final LimitedClass limits;
  private final Container container;
  private final List<String> mistakes = new ArrayList<>();

  InterceptionCheck(LimitedClass limits, Container container) {
    this.limits = limits;
    this.container = container;
  }

  /** Returns the methods to which the interceptor is to be bound. */
  List<MethodInfo> intercepted() {
    List<MethodInfo> found = new ArrayList<>();
    if (WebMethods.isGrpcService(limits)) {
      return found;
    }
    if (container.changesClasses() || !limits.type().isFinal()) {
      found.addAll(limits.limitedByMethod());
      found.addAll(limits.limitedByClass());
      found.removeIf(each -> each.isFinal() && !container.changesClasses());
    }
    if (container.changesClasses()) {
      limits.carriers().stream()
          .filter(each -> each.isStatic() && !Modifier.isPrivate(each.modifiers()))
          .filter(each -> each.declaringClass().name().equals(limits.type().name()))
          .forEach(found::add);
    }
    return found;
  }

  /** Checks the class. */
  List<String> mistakes() {
    List<MethodInfo> carriers = limits.carriers();
    List<MethodInfo> own = new ArrayList<>(limits.limitedByMethod());
    List<MethodInfo> all = new ArrayList<>(limits.limitedByClass());
    all.addAll(own);
    Set<MethodInfo> exempt =
        Stream.concat(carriers.stream(), all.stream())
            .distinct()
            .filter(this::isLimitedElsewhere)
            .collect(Collectors.toSet());
    own.removeAll(exempt);
    all.removeAll(exempt);
    carriers.stream().filter(each -> !exempt.contains(each)).forEach(this::checkCarrier);
    if (!all.isEmpty() && limits.type().isFinal() && !container.changesClasses()) {
      mistakes.add(
          limits.type().name()
              + " has limits, but is final: the container can't make a subclass that intercepts its"
              + " calls; remove final"
              + REMEDY);
    }
    all.forEach(this::checkIntercepted);
    if (!own.isEmpty() && !container.changesClasses()) {
      checkSelfCalls(own);
    }
    return mistakes;
  }

  /**
   * Refuses calls of methods with a limit of their own. A limit of the class counts how often the
   * class is used, so its methods may call each other.
   */
  private void checkSelfCalls(List<MethodInfo> own) {
    for (ClassInfo each : limits.ancestors()) {
      for (SelfCalls.Call call : selfCalls(each)) {
        if (!call.isOfOverridden()) {
          own.stream()
              .filter(method -> isCalled(method, call))
              .forEach(method -> add(method, selfCall(each, call)));
        }
      }
    }
  }

  private static List<SelfCalls.Call> selfCalls(ClassInfo type) {
    try {
      return ClassFiles.read(type.name()).map(SelfCalls::in).orElse(List.of());
    } catch (RuntimeException tooNew) {
      return List.of();
    }
  }

  private boolean isCalled(MethodInfo method, SelfCalls.Call call) {
    String called =
        Arrays.stream(org.objectweb.asm.Type.getArgumentTypes(call.descriptor()))
            .map(org.objectweb.asm.Type::getClassName)
            .collect(Collectors.joining(",", call.name() + "(", ")"));
    return limits.declarations(method).stream().anyMatch(each -> Erasure.of(each).equals(called));
  }

  private static String selfCall(ClassInfo caller, SelfCalls.Call call) {
    return " has a limit, but "
        + caller.name()
        + "#"
        + call.writtenIn()
        + " calls it on this, which bypasses the interceptor; move the shared code into a method"
        + " without a limit, call it through another bean"
        + REMEDY;
  }

  private boolean isLimitedElsewhere(MethodInfo method) {
    return WebMethods.isLimitedByWeb(limits, method) || WovenMethods.isWoven(method);
  }

  private void checkCarrier(MethodInfo method) {
    if (ContainerMethods.isProducer(method)) {
      add(
          method,
          " creates or destroys a bean: its limit would count how often the bean is created; put"
              + " the limit on a method or on the class of the bean");
    } else if (ContainerMethods.isCallback(method)) {
      add(
          method,
          " has a limit, but is called by the container, which intercepts no such call; move the"
              + " limit to a method that the application calls");
    } else if (Modifier.isPrivate(method.modifiers())) {
      add(method, unseen("private", "make it public"));
    } else if (method.isStatic() && !container.changesClasses()) {
      add(method, unseen("static", "make it a method of the object"));
    }
  }

  private void checkIntercepted(MethodInfo method) {
    if (method.isFinal() && !container.changesClasses()) {
      add(method, unseen("final", "remove final"));
    } else if (RepeatedMethods.isRepeated(method, limits)) {
      add(
          method,
          " has a limit, but its class isn't public: the compiler adds a method to a public subclass"
              + " that calls it, which the container doesn't intercept; make the class public,"
              + " override the method"
              + REMEDY);
    } else if (isHidden(method)) {
      add(
          method,
          " has a limit, but is package-private in another package: the container can't intercept"
              + " its calls; make it public"
              + REMEDY);
    } else if (isSuspending(method)) {
      add(
          method,
          " has a limit, but suspends: the end of such a call isn't seen; move the limit to a"
              + " method that returns a result, a CompletionStage, a Uni or a Multi"
              + REMEDY);
    } else if (isUnwatched(method.returnType())) {
      add(
          method,
          " has a limit, but returns "
              + Erasure.of(method.returnType())
              + ", whose end can't be watched; return a CompletionStage, a Uni or a Multi");
    }
  }

  private boolean isHidden(MethodInfo method) {
    int open = Modifier.PUBLIC | Modifier.PROTECTED;
    return (method.modifiers() & open) == 0
        && !packageName(method.declaringClass()).equals(packageName(limits.type()));
  }

  private static String packageName(ClassInfo type) {
    return type.name().substring(0, Math.max(0, type.name().lastIndexOf('.')));
  }

  private static boolean isSuspending(MethodInfo method) {
    int count = method.parameters().size();
    return count > 0 && Erasure.of(method.parameters().get(count - 1).type()).equals(CONTINUATION);
  }

  private static boolean isUnwatched(Type result) {
    @Nullable ClassInfo type =
        switch (result.kind()) {
          case CLASS -> result.asClass().declaration();
          case PARAMETERIZED_TYPE -> result.asParameterizedType().declaration();
          default -> null;
        };
    return type != null && !WATCHED.contains(type.name()) && isUnwatched(type);
  }

  private static boolean isUnwatched(ClassInfo type) {
    @Nullable ClassInfo parent = type.superClassDeclaration();
    return UNWATCHED.contains(type.name())
        || parent != null && isUnwatched(parent)
        || type.superInterfacesDeclarations().stream().anyMatch(InterceptionCheck::isUnwatched);
  }

  private static String unseen(String modifier, String instead) {
    return " has a limit, but is "
        + modifier
        + ": the container can't intercept its calls; "
        + instead
        + REMEDY;
  }

  private void add(MethodInfo method, String mistake) {
    mistakes.add(method.declaringClass().name() + "#" + method.name() + mistake);
  }
}
