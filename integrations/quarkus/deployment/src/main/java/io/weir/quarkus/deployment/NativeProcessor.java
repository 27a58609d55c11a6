package io.weir.quarkus.deployment;

import io.quarkus.bootstrap.classloading.QuarkusClassLoader;
import io.quarkus.deployment.annotations.BuildProducer;
import io.quarkus.deployment.annotations.BuildStep;
import io.quarkus.deployment.builditem.CombinedIndexBuildItem;
import io.quarkus.deployment.builditem.nativeimage.NativeImageProxyDefinitionBuildItem;
import io.quarkus.deployment.builditem.nativeimage.NativeImageResourcePatternsBuildItem;
import io.quarkus.deployment.builditem.nativeimage.ReflectiveClassBuildItem;
import io.quarkus.deployment.builditem.nativeimage.ServiceProviderBuildItem;
import io.weir.annotation.RateLimit;
import io.weir.annotation.RateLimits;
import io.weir.spi.CostResolver;
import io.weir.spi.DecisionMetrics;
import io.weir.spi.DecisionTracing;
import io.weir.spi.KeyResolver;
import io.weir.spi.LoadSensor;
import io.weir.spi.ModuleSettings;
import io.weir.spi.PeerAddress;
import io.weir.spi.PolicySource;
import io.weir.spi.PolicySourceProvider;
import io.weir.spi.RefusalBody;
import io.weir.spi.RequestCondition;
import io.weir.spi.TierResolver;
import io.weir.spi.UserNames;
import io.weir.store.StoreProvider;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jboss.jandex.AnnotationTarget;
import org.jboss.jandex.ClassInfo;
import org.jboss.jandex.DotName;
import org.jboss.jandex.IndexView;

/** Keeps in a native image what Weir finds by reflection, by name or among services. */
class NativeProcessor {
  /** Annotations of classes whose methods Weir reads. */
  private static final List<DotName> READ =
      List.of(
          DotName.createSimple("jakarta.ws.rs.Path"),
          DotName.createSimple(RateLimit.class),
          DotName.createSimple(RateLimits.class));

  /** Types whose providers Weir looks up. */
  private static final List<Class<?>> SERVICES =
      List.of(
          CostResolver.class,
          DecisionMetrics.class,
          DecisionTracing.class,
          KeyResolver.class,
          LoadSensor.class,
          ModuleSettings.class,
          PeerAddress.class,
          PolicySource.class,
          PolicySourceProvider.class,
          RefusalBody.class,
          RequestCondition.class,
          StoreProvider.class,
          TierResolver.class,
          UserNames.class);

  /** Classes that Weir finds by their names, and whose methods it may call. */
  private static final List<String> NAMED =
      List.of(
          "com.fasterxml.jackson.core.JsonFactory",
          "io.netty.util.internal.ThreadExecutorMap",
          "io.opentelemetry.api.trace.Span",
          "io.smallrye.mutiny.Uni",
          "io.vertx.core.Context",
          "io.vertx.core.Handler",
          "io.vertx.core.Vertx",
          "io.weir.quarkus.WeirRecorder",
          "jakarta.servlet.http.HttpServletRequest",
          "org.h2.Driver",
          "org.postgresql.Driver",
          "redis.clients.jedis.Connection",
          "redis.clients.jedis.DefaultJedisClientConfig$Builder");

  /** Interfaces that Weir implements by proxies, which call the methods of what they wrap. */
  private static final List<String> WRAPPED =
      List.of(
          "io.vertx.core.Handler",
          "io.weir.internal.rules.database.RuleDatabase",
          "java.sql.Connection",
          "java.sql.PreparedStatement",
          "java.sql.Statement");

  @BuildStep
  ReflectiveClassBuildItem limitedClasses(CombinedIndexBuildItem index) {
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
  ReflectiveClassBuildItem namedClasses() {
    return ReflectiveClassBuildItem.builder(
            present(Stream.of(NAMED, WRAPPED).flatMap(List::stream)))
        .methods()
        .build();
  }

  @BuildStep
  void proxies(BuildProducer<NativeImageProxyDefinitionBuildItem> proxies) {
    present(WRAPPED.stream())
        .forEach(each -> proxies.produce(new NativeImageProxyDefinitionBuildItem(each)));
  }

  private static Set<String> present(Stream<String> names) {
    return names
        .filter(
            each -> each.startsWith("java.") || QuarkusClassLoader.isClassPresentAtRuntime(each))
        .collect(Collectors.toSet());
  }

  @BuildStep
  NativeImageResourcePatternsBuildItem files() {
    return NativeImageResourcePatternsBuildItem.builder()
        .includeGlobs(
            "weir.properties",
            "io/weir/internal/redis/*.lua",
            "io/weir/rules/db/*/*.sql",
            "redis/clients/jedis/pom.properties")
        .build();
  }

  @BuildStep
  void services(BuildProducer<ServiceProviderBuildItem> services) {
    for (Class<?> each : SERVICES) {
      services.produce(ServiceProviderBuildItem.allProvidersFromClassPath(each.getName()));
    }
  }
}
