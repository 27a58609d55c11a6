package io.weir.grpc;

import io.grpc.BindableService;
import io.grpc.MethodDescriptor;
import io.grpc.ServiceDescriptor;
import io.weir.InvalidPolicyException;
import io.weir.adapter.Adapter;
import io.weir.adapter.EndpointType;
import io.weir.adapter.LimitedEndpoint;
import io.weir.internal.container.HandlerClass;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Finds the Java methods that answer the methods of a service, and reads their limits. */
final class ServiceMethods {
  /** A method of a service. */
  static final EndpointType TYPE =
      new EndpointType(
          "GRPC", false, false, false, method -> Optional.of(GrpcRequestInfo.HTTP_METHOD));

  /** Marks the interfaces that Quarkus generates. */
  private static final String OF_QUARKUS = "io.quarkus.grpc.MutinyService";

  private final Adapter adapter;
  private final Class<?> type;
  private final List<String> mistakes = new ArrayList<>();

  private ServiceMethods(Adapter adapter, Class<?> type) {
    this.adapter = adapter;
    this.type = type;
  }

  /**
   * Reads the limits of a service.
   *
   * @param type the class that carries the annotations
   * @return the limits of each method, by its full name: {@code package.Service/Method}
   * @throws InvalidPolicyException if there are mistakes; the message lists all
   */
  static Map<String, LimitedMethod> read(
      Adapter adapter, ServiceDescriptor service, Class<?> type) {
    return new ServiceMethods(adapter, type).read(service);
  }

  private Map<String, LimitedMethod> read(ServiceDescriptor service) {
    if (type.isHidden()) { // a lambda has neither annotations nor a name
      return eachOf(
          service,
          each ->
              new LimitedMethod(
                  LimitedMethod.path(each), type, null, adapter.withoutClass(), false));
    }
    if (Proxy.isProxyClass(type)) {
      throw new InvalidPolicyException(
          List.of(
              type.getName()
                  + ": is a proxy, which carries no annotations. Say which class does:"
                  + " limit(service.bindService(), TheClass.class)"));
    }
    try {
      adapter.check(Set.of(type), TYPE);
    } catch (InvalidPolicyException invalid) {
      mistakes.addAll(invalid.mistakes());
    }
    Map<String, LimitedMethod> found = eachOf(service, this::limited);
    collectUnanswering(
        found.values().stream().flatMap(each -> Stream.ofNullable(each.method())).toList());
    InvalidPolicyException.throwIfAny(mistakes);
    return found;
  }

  private interface Reader {
    LimitedMethod read(MethodDescriptor<?, ?> method);
  }

  private static Map<String, LimitedMethod> eachOf(ServiceDescriptor service, Reader reader) {
    Map<String, LimitedMethod> found = new HashMap<>();
    for (MethodDescriptor<?, ?> method : service.getMethods()) {
      found.put(method.getFullMethodName(), reader.read(method));
    }
    return found;
  }

  private LimitedMethod limited(MethodDescriptor<?, ?> method) {
    @Nullable Method java = find(method);
    return new LimitedMethod(
        LimitedMethod.path(method), type, java, endpoint(java), countsMessages(method, java));
  }

  private LimitedEndpoint endpoint(@Nullable Method java) {
    try {
      return java == null ? adapter.endpoint(type, TYPE) : adapter.endpoint(type, java, TYPE);
    } catch (InvalidPolicyException found) {
      mistakes.addAll(found.mistakes());
      return adapter.unlimited();
    }
  }

  private boolean countsMessages(MethodDescriptor<?, ?> method, @Nullable Method java) {
    boolean streams = !method.getType().clientSendsOneMessage();
    if (java == null || !saysPerMessage(java)) {
      return streams && type.isAnnotationPresent(PerMessage.class);
    }
    if (!streams) {
      mistakes.add(
          place(java)
              + ": @PerMessage has no effect, since clients of "
              + method.getFullMethodName()
              + " send a single message. Remove it");
    }
    return streams;
  }

  /** Returns whether a method, or one that it overrides, counts by message. */
  private boolean saysPerMessage(Method java) {
    return Stream.<Class<?>>iterate(type, each -> each != null, Class::getSuperclass)
        .flatMap(each -> Arrays.stream(each.getDeclaredMethods()))
        .anyMatch(each -> overrides(java, each) && each.isAnnotationPresent(PerMessage.class));
  }

  /**
   * Finds the Java method that answers a method: among those of the class that binds the service,
   * which is usually generated, in the class that carries the annotations.
   */
  private @Nullable Method find(MethodDescriptor<?, ?> method) {
    String name = javaName(String.valueOf(method.getBareMethodName()));
    List<Method> named =
        Stream.of(binding().getMethods())
            .filter(each -> each.getName().equals(name) || each.getName().equals(name + "_"))
            .filter(each -> !each.isBridge() && !Modifier.isStatic(each.getModifiers()))
            .toList();
    if (named.size() > 1) { // an overload of the application's own beside it
      named = named.stream().filter(ServiceMethods::hasObserver).toList();
    }
    if (named.size() > 1) {
      mistakes.add(
          type.getName()
              + ": several methods "
              + name
              + " may answer "
              + method.getFullMethodName()
              + "; give the others another name");
    }
    return named.size() == 1 ? asWritten(named.get(0)) : null;
  }

  /** Returns the class or interface that says which Java methods answer. */
  private Class<?> binding() {
    if (!BindableService.class.isAssignableFrom(type)) {
      return generatedInterface(type).orElse(type);
    }
    try {
      return type.getMethod("bindService").getDeclaringClass();
    } catch (NoSuchMethodException impossible) {
      throw new IllegalStateException(impossible);
    }
  }

  /** Finds the interface of the service that Quarkus generates, which classes may implement. */
  private static Optional<Class<?>> generatedInterface(Class<?> type) {
    return Stream.<Class<?>>iterate(type, each -> each != null, Class::getSuperclass)
        .flatMap(each -> Arrays.stream(each.getInterfaces()))
        .filter(
            each ->
                Arrays.stream(each.getInterfaces())
                    .anyMatch(parent -> parent.getName().equals(OF_QUARKUS)))
        .<Class<?>>map(each -> each)
        .findFirst();
  }

  private Method asWritten(Method declared) {
    try {
      return type.getMethod(declared.getName(), declared.getParameterTypes());
    } catch (NoSuchMethodException impossible) {
      throw new IllegalStateException(impossible);
    }
  }

  /** Compares names, since an application without generated code may lack the class. */
  private static boolean hasObserver(Method method) {
    return Stream.of(method.getParameterTypes())
        .anyMatch(each -> each.getName().equals("io.grpc.stub.StreamObserver"));
  }

  /**
   * Returns the name that gRPC's generator gives the Java method: {@code sayHello} for {@code
   * SayHello}.
   */
  private static String javaName(String name) {
    StringBuilder java = new StringBuilder(name.length());
    boolean upper = false;
    for (int i = 0; i < name.length(); i++) {
      char c = name.charAt(i);
      if (c == '_' && i > 0) {
        upper = true;
      } else {
        java.append(i == 0 ? Character.toLowerCase(c) : upper ? Character.toUpperCase(c) : c);
        upper = false;
      }
    }
    return java.toString();
  }

  /** Collects annotated methods that no call leads to, unless they are woven. */
  private void collectUnanswering(List<Method> answering) {
    for (Class<?> each = type; each != null && each != Object.class; each = each.getSuperclass()) {
      for (Method method : each.getDeclaredMethods()) {
        if (adapter.isAnnotated(method)
            && !method.isBridge()
            && answering.stream().noneMatch(answers -> overrides(answers, method))
            && !HandlerClass.isWoven(method)) {
          mistakes.add(
              place(method)
                  + ": answers no method of the service, so its limits don't apply. Move the"
                  + " annotation to a method that does, or weave the class (docs/aspectj.md)");
        }
      }
    }
  }

  private static boolean overrides(Method one, Method other) {
    return one.getName().equals(other.getName())
        && Arrays.equals(one.getParameterTypes(), other.getParameterTypes());
  }

  private String place(Method method) {
    return type.getName() + "." + method.getName() + "()";
  }
}
