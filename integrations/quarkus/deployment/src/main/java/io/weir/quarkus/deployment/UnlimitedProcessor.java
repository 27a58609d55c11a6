package io.weir.quarkus.deployment;

import io.quarkus.arc.deployment.ValidationPhaseBuildItem.ValidationErrorBuildItem;
import io.quarkus.deployment.Capabilities;
import io.quarkus.deployment.Capability;
import io.quarkus.deployment.annotations.BuildProducer;
import io.quarkus.deployment.annotations.BuildStep;
import io.quarkus.deployment.builditem.CombinedIndexBuildItem;
import io.weir.annotation.RateLimit;
import io.weir.annotation.RateLimits;
import jakarta.enterprise.inject.spi.DeploymentException;
import java.util.List;
import org.jboss.jandex.ClassInfo;
import org.jboss.jandex.DotName;

/**
 * Fails the build of an application that has annotations which would limit nothing. Those of
 * classes that are neither resources nor beans are found by {@code weir-cdi}.
 */
class UnlimitedProcessor {
  private static final DotName CLIENT =
      DotName.createSimple("org.eclipse.microprofile.rest.client.inject.RegisterRestClient");
  private static final List<DotName> LIMITS =
      List.of(DotName.createSimple(RateLimit.class), DotName.createSimple(RateLimits.class));

  @BuildStep
  void servlets(Capabilities capabilities, BuildProducer<ValidationErrorBuildItem> errors) {
    if (capabilities.isPresent(Capability.RESTEASY) && capabilities.isPresent(Capability.SERVLET)) {
      fail(
          "Weir doesn't limit the resources of RESTEasy Classic on servlets. Remove quarkus-undertow"
              + " (an extension may have brought it), use Quarkus REST (quarkus-rest), or remove"
              + " weir-quarkus",
          errors);
    }
  }

  @BuildStep
  void clients(CombinedIndexBuildItem index, BuildProducer<ValidationErrorBuildItem> errors) {
    index.getIndex().getAnnotations(CLIENT).stream()
        .map(each -> each.target().asClass())
        .filter(UnlimitedProcessor::isLimited)
        .forEach(
            each ->
                fail(
                    each.name()
                        + ": is a REST client, which Weir doesn't limit. Put the limit on a method"
                        + " of a bean that calls it",
                    errors));
  }

  private static boolean isLimited(ClassInfo type) {
    return LIMITS.stream().anyMatch(type::hasAnnotation);
  }

  private static void fail(String message, BuildProducer<ValidationErrorBuildItem> errors) {
    errors.produce(new ValidationErrorBuildItem(new DeploymentException(message)));
  }
}
