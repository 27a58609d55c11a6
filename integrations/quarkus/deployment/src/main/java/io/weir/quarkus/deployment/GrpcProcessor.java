package io.weir.quarkus.deployment;

import io.quarkus.arc.deployment.ValidationPhaseBuildItem.ValidationErrorBuildItem;
import io.quarkus.deployment.annotations.BuildProducer;
import io.quarkus.deployment.annotations.BuildStep;
import io.quarkus.deployment.builditem.CombinedIndexBuildItem;
import io.weir.annotation.RateLimit;
import io.weir.annotation.RateLimits;
import jakarta.enterprise.inject.spi.DeploymentException;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jboss.jandex.AnnotationTarget;
import org.jboss.jandex.ClassInfo;
import org.jboss.jandex.DotName;
import org.jboss.jandex.IndexView;

/**
 * Fails the build of an application with limits on services of Quarkus' gRPC server. As methods of
 * beans they would know no caller, and a refusal would be a failure of the service.
 */
class GrpcProcessor {
  private static final DotName SERVICE = DotName.createSimple("io.quarkus.grpc.GrpcService");
  private static final List<DotName> LIMITS =
      List.of(DotName.createSimple(RateLimit.class), DotName.createSimple(RateLimits.class));

  @BuildStep
  void services(CombinedIndexBuildItem index, BuildProducer<ValidationErrorBuildItem> errors) {
    index.getIndex().getAnnotations(SERVICE).stream()
        .map(each -> each.target())
        .filter(each -> each.kind() == AnnotationTarget.Kind.CLASS)
        .map(AnnotationTarget::asClass)
        .filter(each -> family(each, index.getIndex()).anyMatch(GrpcProcessor::isLimited))
        .forEach(
            each ->
                errors.produce(
                    new ValidationErrorBuildItem(
                        new DeploymentException(
                            each.name()
                                + ": is a service of Quarkus' gRPC server, which Weir doesn't limit"
                                + " yet. Remove its limits, or start a server of gRPC for it that"
                                + " has weir-grpc"))));
  }

  /** Returns a class, those that it extends, and their interfaces, as far as they are indexed. */
  private static Stream<ClassInfo> family(ClassInfo type, IndexView index) {
    return Stream.concat(
        Stream.of(type),
        Stream.concat(Stream.ofNullable(type.superName()), type.interfaceNames().stream())
            .map(index::getClassByName)
            .filter(Objects::nonNull)
            .flatMap(each -> family(each, index)));
  }

  private static boolean isLimited(ClassInfo type) {
    return LIMITS.stream().anyMatch(type::hasAnnotation);
  }
}
