package io.weir.quarkus.deployment;

import io.quarkus.arc.deployment.AdditionalBeanBuildItem;
import io.quarkus.arc.deployment.SyntheticBeanBuildItem;
import io.quarkus.arc.deployment.UnremovableBeanBuildItem;
import io.quarkus.arc.deployment.ValidationPhaseBuildItem.ValidationErrorBuildItem;
import io.quarkus.bootstrap.classloading.QuarkusClassLoader;
import io.quarkus.deployment.annotations.BuildProducer;
import io.quarkus.deployment.annotations.BuildStep;
import io.quarkus.deployment.annotations.ExecutionTime;
import io.quarkus.deployment.annotations.Record;
import io.quarkus.deployment.builditem.CombinedIndexBuildItem;
import io.quarkus.deployment.builditem.nativeimage.ReflectiveClassBuildItem;
import io.quarkus.vertx.http.deployment.FilterBuildItem;
import io.weir.quarkus.grpc.GrpcRecorder;
import io.weir.quarkus.grpc.GrpcServices;
import jakarta.enterprise.inject.spi.DeploymentException;
import jakarta.inject.Singleton;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jboss.jandex.DotName;

/**
 * Limits the services of Quarkus' gRPC server where the application has {@code weir-grpc} beside
 * it, and fails the build for limits that it couldn't enforce.
 */
class GrpcProcessor {
  /** Named as texts: the classes need what an application without gRPC hasn't. */
  private static final Set<String> BEANS =
      Set.of(
          "io.weir.quarkus.grpc.GrpcLimits",
          "io.weir.quarkus.grpc.InnermostInterceptor",
          "io.weir.quarkus.grpc.OutermostInterceptor");

  private static final String ADAPTER = "io.weir.grpc.RateLimitInterceptor";
  private static final String SERVER = "io.quarkus.grpc.runtime.GrpcContainer";

  @BuildStep
  void refuse(CombinedIndexBuildItem index, BuildProducer<ValidationErrorBuildItem> errors) {
    boolean hasAdapter = QuarkusClassLoader.isClassPresentAtRuntime(ADAPTER);
    new GrpcServiceIndex(index.getIndex())
        .limited()
        .forEach(
            service -> {
              if (!hasAdapter) {
                fail(
                    service.name()
                        + ": is a service of Quarkus' gRPC server, which Weir limits by weir-grpc."
                        + " Add the dependency io.weir:weir-grpc, or remove its limits",
                    errors);
              } else if (service.isCoroutine()) {
                fail(
                    service.name()
                        + ": is a service of coroutines, which Weir doesn't limit on Quarkus' gRPC"
                        + " server yet. Remove its limits, or start a server of gRPC for it that"
                        + " has weir-grpc",
                    errors);
              }
            });
  }

  private static void fail(String message, BuildProducer<ValidationErrorBuildItem> errors) {
    errors.produce(new ValidationErrorBuildItem(new DeploymentException(message)));
  }

  /** Returns whether the application has services, and what limits them. */
  private static boolean limits(GrpcServiceIndex services) {
    return Stream.of(ADAPTER, SERVER).allMatch(QuarkusClassLoader::isClassPresentAtRuntime)
        && !services.annotated().isEmpty();
  }

  @BuildStep
  void beans(CombinedIndexBuildItem index, BuildProducer<AdditionalBeanBuildItem> beans) {
    if (limits(new GrpcServiceIndex(index.getIndex()))) {
      beans.produce(
          AdditionalBeanBuildItem.builder().addBeanClasses(BEANS).setUnremovable().build());
    }
  }

  @BuildStep
  @Record(ExecutionTime.STATIC_INIT)
  Optional<SyntheticBeanBuildItem> services(GrpcRecorder recorder, CombinedIndexBuildItem index) {
    GrpcServiceIndex services = new GrpcServiceIndex(index.getIndex());
    return limits(services)
        ? Optional.of(
            SyntheticBeanBuildItem.configure(GrpcServices.class)
                .scope(Singleton.class)
                .unremovable()
                .runtimeValue(recorder.services(services.annotated()))
                .done())
        : Optional.empty();
  }

  @BuildStep
  @Record(ExecutionTime.RUNTIME_INIT)
  Optional<FilterBuildItem> filter(GrpcRecorder recorder, CombinedIndexBuildItem index) {
    return limits(new GrpcServiceIndex(index.getIndex()))
        ? Optional.of(new FilterBuildItem(recorder.filter(), FirstPhaseProcessor.BEFORE_SIGN_IN))
        : Optional.empty();
  }

  @BuildStep
  UnremovableBeanBuildItem users() {
    return UnremovableBeanBuildItem.beanTypes(
        DotName.createSimple("io.weir.grpc.CallPrincipal"),
        DotName.createSimple("io.weir.grpc.CallUser"));
  }

  /** Keeps the methods whose annotations are read, and those that say which of them answer. */
  @BuildStep
  ReflectiveClassBuildItem readClasses(CombinedIndexBuildItem index) {
    return ReflectiveClassBuildItem.builder(
            new GrpcServiceIndex(index.getIndex()).read().collect(Collectors.toSet()))
        .constructors(false)
        .methods()
        .build();
  }
}
