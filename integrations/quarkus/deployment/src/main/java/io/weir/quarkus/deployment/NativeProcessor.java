package io.weir.quarkus.deployment;

import io.quarkus.deployment.annotations.BuildProducer;
import io.quarkus.deployment.annotations.BuildStep;
import io.quarkus.deployment.builditem.CombinedIndexBuildItem;
import io.quarkus.deployment.builditem.nativeimage.NativeImageResourceBuildItem;
import io.quarkus.deployment.builditem.nativeimage.ReflectiveClassBuildItem;
import io.quarkus.deployment.builditem.nativeimage.ServiceProviderBuildItem;
import io.weir.annotation.RateLimit;
import io.weir.annotation.RateLimits;
import io.weir.spi.PolicySourceProvider;
import io.weir.store.StoreProvider;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.jboss.jandex.AnnotationTarget;
import org.jboss.jandex.ClassInfo;
import org.jboss.jandex.DotName;
import org.jboss.jandex.IndexView;

/** Keeps in a native image what Weir reads by reflection. */
class NativeProcessor {
  /** Annotations of classes whose methods Weir reads. */
  private static final List<DotName> READ =
      List.of(
          DotName.createSimple("jakarta.ws.rs.Path"),
          DotName.createSimple(RateLimit.class),
          DotName.createSimple(RateLimits.class));

  @BuildStep
  ReflectiveClassBuildItem classes(CombinedIndexBuildItem index) {
    Set<String> names = new HashSet<>();
    for (DotName each : READ) {
      index.getIndex().getAnnotations(each).stream()
          .flatMap(found -> family(found.target(), index.getIndex()))
          .forEach(type -> names.add(type.name().toString()));
    }
    return ReflectiveClassBuildItem.builder(names).constructors(false).methods().build();
  }

  private static Stream<ClassInfo> family(AnnotationTarget target, IndexView index) {
    ClassInfo type =
        target.kind() == AnnotationTarget.Kind.METHOD
            ? target.asMethod().declaringClass()
            : target.asClass();
    return Stream.of(
            Stream.of(type),
            index.getAllKnownSubclasses(type.name()).stream(),
            index.getAllKnownImplementations(type.name()).stream())
        .flatMap(each -> each);
  }

  @BuildStep
  NativeImageResourceBuildItem settings() {
    return new NativeImageResourceBuildItem("weir.properties");
  }

  @BuildStep
  void services(BuildProducer<ServiceProviderBuildItem> services) {
    for (Class<?> each : List.of(StoreProvider.class, PolicySourceProvider.class)) {
      services.produce(ServiceProviderBuildItem.allProvidersFromClassPath(each.getName()));
    }
  }
}
