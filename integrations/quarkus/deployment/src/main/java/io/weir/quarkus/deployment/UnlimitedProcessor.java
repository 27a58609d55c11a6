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
import java.util.Set;
import java.util.stream.Stream;
import org.jboss.jandex.AnnotationTarget;
import org.jboss.jandex.ClassInfo;
import org.jboss.jandex.DotName;
import org.jboss.jandex.IndexView;
import org.jboss.jandex.MethodInfo;

/**
 * Fails the build of an application that has annotations which would limit nothing. Those of
 * classes that are neither resources nor beans are found by {@code weir-cdi}.
 */
class UnlimitedProcessor {
  private static final DotName CLIENT =
      DotName.createSimple("org.eclipse.microprofile.rest.client.inject.RegisterRestClient");
  private static final List<DotName> ROUTES =
      List.of(
          DotName.createSimple("io.quarkus.vertx.web.Route"),
          DotName.createSimple("io.quarkus.vertx.web.Route$Routes"),
          DotName.createSimple("io.quarkus.vertx.web.RouteFilter"));
  private static final Set<String> SERVLETS =
      Set.of(
          "jakarta.servlet.Servlet",
          "jakarta.servlet.GenericServlet",
          "jakarta.servlet.http.HttpServlet",
          "jakarta.servlet.Filter",
          "jakarta.servlet.GenericFilter",
          "jakarta.servlet.http.HttpFilter");
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

  /** As methods of beans they would know no caller, and a refusal would be a failure. */
  @BuildStep
  void routes(CombinedIndexBuildItem index, BuildProducer<ValidationErrorBuildItem> errors) {
    ROUTES.stream()
        .flatMap(each -> index.getIndex().getAnnotations(each).stream())
        .filter(each -> each.target().kind() == AnnotationTarget.Kind.METHOD)
        .map(each -> each.target().asMethod())
        .filter(UnlimitedProcessor::isLimited)
        .map(each -> each.declaringClass().name() + "." + each.name())
        .distinct()
        .forEach(
            each ->
                fail(
                    each
                        + ": is a reactive route, which Weir doesn't limit. Remove its limit, or"
                        + " make it a method of a resource",
                    errors));
  }

  /** {@code weir-cdi} takes them for limited by the web, which they are on other servers. */
  @BuildStep
  void limitedServlets(
      Capabilities capabilities,
      CombinedIndexBuildItem index,
      BuildProducer<ValidationErrorBuildItem> errors) {
    if (capabilities.isPresent(Capability.SERVLET)) {
      index.getIndex().getKnownClasses().stream()
          .filter(UnlimitedProcessor::isLimited)
          .filter(each -> isServlet(each, index.getIndex()))
          .forEach(
              each ->
                  fail(
                      each.name()
                          + ": is a servlet or a filter of servlets, which Weir doesn't limit on"
                          + " Quarkus. Remove its limit, or make it a resource",
                      errors));
    }
  }

  private static boolean isServlet(ClassInfo type, IndexView index) {
    return Stream.concat(Stream.ofNullable(type.superName()), type.interfaceNames().stream())
        .anyMatch(
            each -> {
              ClassInfo known = index.getClassByName(each);
              return SERVLETS.contains(each.toString()) || known != null && isServlet(known, index);
            });
  }

  private static boolean isLimited(MethodInfo method) {
    return LIMITS.stream()
        .anyMatch(
            each ->
                method.hasDeclaredAnnotation(each)
                    || method.declaringClass().hasDeclaredAnnotation(each));
  }

  private static boolean isLimited(ClassInfo type) {
    return LIMITS.stream().anyMatch(type::hasAnnotation);
  }

  private static void fail(String message, BuildProducer<ValidationErrorBuildItem> errors) {
    errors.produce(new ValidationErrorBuildItem(new DeploymentException(message)));
  }
}
