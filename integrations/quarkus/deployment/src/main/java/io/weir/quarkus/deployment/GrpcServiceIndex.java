package io.weir.quarkus.deployment;

import io.weir.annotation.RateLimit;
import io.weir.annotation.RateLimits;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.jboss.jandex.AnnotationTarget;
import org.jboss.jandex.ClassInfo;
import org.jboss.jandex.DotName;
import org.jboss.jandex.FieldInfo;
import org.jboss.jandex.IndexView;

/** Finds the services of Quarkus' gRPC server in the index of an application. */
final class GrpcServiceIndex {
  private static final DotName SERVICE = DotName.createSimple("io.quarkus.grpc.GrpcService");

  /** What Quarkus generates to bind a service whose class implements an interface of Mutiny. */
  private static final DotName GENERATED = DotName.createSimple("io.quarkus.grpc.MutinyBean");

  private static final String DELEGATE = "delegate";
  private static final DotName COROUTINES =
      DotName.createSimple("io.grpc.kotlin.AbstractCoroutineServerImpl");
  private static final List<DotName> LIMITS =
      List.of(DotName.createSimple(RateLimit.class), DotName.createSimple(RateLimits.class));

  /** Prefix of the packages of Quarkus' own services, such as health. */
  private static final String OF_QUARKUS = "io.quarkus.grpc.";

  private final IndexView index;

  GrpcServiceIndex(IndexView index) {
    this.index = index;
  }

  /**
   * A service of the application.
   *
   * @param name that of its class
   * @param isCoroutine whether it is one of grpc-kotlin
   */
  record Service(DotName name, boolean isCoroutine) {}

  /** Returns the services that carry or inherit limits. */
  Stream<Service> limited() {
    return classes()
        .filter(each -> family(each).anyMatch(GrpcServiceIndex::isLimited))
        .map(each -> new Service(each.name(), isCoroutine(each)));
  }

  /** Returns the classes that carry annotations, by the classes that Quarkus binds. */
  Map<String, String> annotated() {
    Map<String, String> found = new HashMap<>();
    classes().forEach(each -> found.put(each.name().toString(), each.name().toString()));
    for (ClassInfo bound : index.getAllKnownImplementations(GENERATED)) {
      FieldInfo delegate = bound.field(DELEGATE);
      if (delegate != null) {
        classes()
            .filter(each -> isA(each, delegate.type().name()))
            .findFirst()
            .ifPresent(each -> found.put(bound.name().toString(), each.name().toString()));
      }
    }
    return found;
  }

  /** Returns the names of the classes that are read when the application starts. */
  Stream<String> read() {
    return classes().flatMap(this::family).map(each -> each.name().toString());
  }

  private Stream<ClassInfo> classes() {
    return index.getAnnotations(SERVICE).stream()
        .map(each -> each.target())
        .filter(each -> each.kind() == AnnotationTarget.Kind.CLASS)
        .map(AnnotationTarget::asClass)
        .filter(each -> !each.name().toString().startsWith(OF_QUARKUS));
  }

  private boolean isA(ClassInfo type, DotName name) {
    return family(type).anyMatch(each -> each.interfaceNames().contains(name));
  }

  private boolean isCoroutine(ClassInfo type) {
    return family(type).anyMatch(each -> COROUTINES.equals(each.superName()));
  }

  /** Returns a class, those that it extends, and their interfaces, as far as they are indexed. */
  private Stream<ClassInfo> family(ClassInfo type) {
    return Stream.concat(
        Stream.of(type),
        Stream.concat(Stream.ofNullable(type.superName()), type.interfaceNames().stream())
            .map(index::getClassByName)
            .filter(Objects::nonNull)
            .flatMap(this::family));
  }

  private static boolean isLimited(ClassInfo type) {
    return LIMITS.stream().anyMatch(type::hasAnnotation);
  }
}
