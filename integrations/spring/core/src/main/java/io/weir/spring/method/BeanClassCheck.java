package io.weir.spring.method;

import io.weir.annotation.RateLimit;
import io.weir.internal.container.HandlerClass;
import io.weir.spring.SuspendFunctions;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.asm.Type;
import org.springframework.context.annotation.Bean;
import org.springframework.core.BridgeMethodResolver;
import org.springframework.core.annotation.AliasFor;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.core.annotation.MergedAnnotation;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.util.ReflectionUtils;

/**
 * Finds limits of a bean's class that a proxy can't enforce, and says why, by name. Woven methods
 * and handlers of controllers need no proxy.
 */
final class BeanClassCheck {
  private static final String REMEDY = ", or weave the class with AspectJ";

  private final LimitedMethodPointcut pointcut;
  private final @Nullable ClassLoader proxies;
  private final Class<?> type;
  private final boolean byInterface;
  private final List<String> mistakes = new ArrayList<>();

  /**
   * Checks a class.
   *
   * @param type the class as it is written
   * @param byClass whether its bean must be proxied by class
   * @param proxies the class loader in which Spring makes proxies
   */
  BeanClassCheck(
      LimitedMethodPointcut pointcut,
      Class<?> type,
      boolean byClass,
      @Nullable ClassLoader proxies) {
    this.pointcut = pointcut;
    this.type = type;
    this.proxies = proxies;
    this.byInterface =
        !byClass
            && !pointcut.isProxiedByClass()
            && !WebMethods.isFoundByClass(type)
            && ProxiedInterfaces.suit(type);
  }

  List<String> mistakes() {
    LimitedClass limited = pointcut.limits(type);
    checkComposed(type);
    for (Class<?> each : family()) {
      for (Method method : ReflectionUtils.getDeclaredMethods(each)) {
        if (!method.isSynthetic() && LimitedClasses.carriesLimit(method)) {
          checkComposed(method);
          checkCarrier(each, method);
        }
      }
    }
    Set<Method> proxied = proxied(limited);
    if (!proxied.isEmpty() && !type.isInterface()) {
      if (!pointcut.isProxyable(type)) {
        add(
            type.getName()
                + " has limits, but is final: Spring can't make a proxy of it; remove final"
                + REMEDY);
      } else {
        proxied.forEach(this::checkProxied);
        checkSelfCalls(limited);
      }
    }
    return mistakes.stream().distinct().toList();
  }

  /** Returns the class, its superclasses and interfaces, as far as they are the application's. */
  private Set<Class<?>> family() {
    Set<Class<?>> family = new LinkedHashSet<>();
    for (Class<?> each = type; each != null; each = each.getSuperclass()) {
      family.add(each);
      collect(each, family);
    }
    family.removeIf(LimitedClasses::isOfFramework);
    return family;
  }

  private static void collect(Class<?> from, Set<Class<?>> family) {
    for (Class<?> each : from.getInterfaces()) {
      if (family.add(each)) {
        collect(each, family);
      }
    }
  }

  /** Returns the methods whose calls must pass a proxy. */
  private Set<Method> proxied(LimitedClass limited) {
    Set<Method> found = new LinkedHashSet<>(limited.methods());
    found.removeIf(each -> pointcut.isEndpoint(type, each) || WovenMethods.isWoven(each));
    return found;
  }

  private void checkCarrier(Class<?> declaring, Method method) {
    if (HandlerClass.isSuspendFunction(method) && WovenMethods.isWoven(method)) {
      add(
          BeanMethod.place(declaring, method)
              + " has a limit, but is a suspend function and woven: each time that it goes on would"
              + " count; leave it to Spring's proxy, and its class out of the weaving");
    }
    if (pointcut.isEndpoint(type, method) || WovenMethods.isWoven(method)) {
      return;
    }
    if (AnnotatedElementUtils.hasAnnotation(method, Bean.class)) {
      add(
          BeanMethod.place(declaring, method)
              + " creates a bean: its limit would count how often the bean is created; put the"
              + " limit on"
              + " a method or on the class of the bean");
    } else if (Modifier.isPrivate(method.getModifiers())) {
      add(BeanMethod.place(declaring, method) + unseen("private", "make it public"));
    } else if (Modifier.isStatic(method.getModifiers())) {
      add(BeanMethod.place(declaring, method) + unseen("static", "make it a method of the object"));
    }
  }

  private static String unseen(String modifier, String instead) {
    return " has a limit, but is "
        + modifier
        + ": a proxy can't intercept its calls; "
        + instead
        + REMEDY;
  }

  private void checkProxied(Method method) {
    String place = BeanMethod.place(type, method);
    if (byInterface) {
      if (!ProxiedInterfaces.declare(type, method)) {
        add(
            place
                + " has a limit, but isn't in an interface of its class, and Spring proxies only"
                + " the interfaces (proxyTargetClass is false), so its calls bypass the proxy;"
                + " declare it in an interface"
                + REMEDY);
      }
    } else if (Modifier.isFinal(method.getModifiers())) {
      add(place + unseen("final", "remove final"));
    } else if (isHidden(method)) {
      add(
          place
              + " has a limit, but is package-private in "
              + method.getDeclaringClass().getName()
              + ", in another package or class loader than its proxy: the proxy can't override it;"
              + " make it public"
              + REMEDY);
    }
    if (HandlerClass.isSuspendFunction(method) && !SuspendFunctions.canCall(method)) {
      add(
          place
              + " has a limit, but is a suspend function, whose end Spring's proxies see only with"
              + " org.jetbrains.kotlinx:kotlinx-coroutines-reactor and"
              + " org.jetbrains.kotlin:kotlin-reflect on the class path; add both");
    }
    if (!SuspendFunctions.canWatch(method)) {
      add(
          place
              + " has a limit, but returns a Flow, whose end Spring's proxies see only with"
              + " org.jetbrains.kotlinx:kotlinx-coroutines-reactor on the class path; add it");
    }
  }

  private boolean isHidden(Method method) {
    int visible = Modifier.PUBLIC | Modifier.PROTECTED;
    Class<?> declaring = method.getDeclaringClass();
    return (method.getModifiers() & visible) == 0
        && (!declaring.getPackageName().equals(type.getPackageName())
            || declaring.getClassLoader() != proxies);
  }

  /**
   * Refuses calls of methods with a limit of their own. A limit of the class counts how often the
   * class is used, so its methods may call each other.
   */
  private void checkSelfCalls(LimitedClass limited) {
    Set<Method> own = proxied(limited);
    own.retainAll(limited.annotated());
    if (own.isEmpty()) {
      return;
    }
    for (Class<?> each : family()) {
      for (SelfCalls.Call call : selfCalls(each)) {
        own.stream()
            .filter(method -> !call.isOfOverridden() && isCalled(method, call))
            .forEach(method -> add(selfCall(each, call, method)));
      }
    }
  }

  private String selfCall(Class<?> caller, SelfCalls.Call call, Method method) {
    return BeanMethod.place(type, method)
        + " has a limit, but "
        + caller.getName()
        + "#"
        + call.writtenIn()
        + " calls it on this, which bypasses the proxy; move the shared code into a method without"
        + " a limit, call it through another bean"
        + REMEDY;
  }

  private static List<SelfCalls.Call> selfCalls(Class<?> type) {
    Optional<byte[]> file = ClassFiles.read(type);
    try {
      return file.map(SelfCalls::in).orElse(List.of());
    } catch (RuntimeException tooNew) {
      return List.of();
    }
  }

  private boolean isCalled(Method method, SelfCalls.Call call) {
    return method.getName().equals(call.name())
        && (Type.getMethodDescriptor(method).equals(call.descriptor())
            || Arrays.stream(ReflectionUtils.getDeclaredMethods(method.getDeclaringClass()))
                .filter(Method::isBridge)
                .filter(each -> Type.getMethodDescriptor(each).equals(call.descriptor()))
                .anyMatch(each -> BridgeMethodResolver.findBridgedMethod(each).equals(method)));
  }

  /**
   * Refuses composed annotations with members that replace those of the limit: Weir would not see
   * their values.
   */
  private void checkComposed(AnnotatedElement element) {
    MergedAnnotations.from(element).stream(RateLimit.class)
        .map(MergedAnnotation::getMetaSource)
        .forEach(
            composed -> {
              if (composed != null) {
                checkAliases(composed.getType());
              }
            });
  }

  private void checkAliases(Class<?> composed) {
    for (Method member : composed.getDeclaredMethods()) {
      AliasFor alias = member.getAnnotation(AliasFor.class);
      if (alias != null && alias.annotation() == RateLimit.class) {
        add(
            BeanMethod.place(composed, member)
                + ": must not be an alias for a member of @RateLimit, since its values would be"
                + " ignored: Weir reads the @RateLimit on the annotation itself; write it without"
                + " members, or one annotation for each limit");
      }
    }
  }

  private void add(String mistake) {
    mistakes.add(mistake);
  }
}
