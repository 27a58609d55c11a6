package io.weir.quarkus.deployment;

import io.quarkus.arc.deployment.AdditionalBeanBuildItem;
import io.quarkus.arc.deployment.BeanContainerBuildItem;
import io.quarkus.deployment.Capabilities;
import io.quarkus.deployment.Capability;
import io.quarkus.deployment.annotations.BuildProducer;
import io.quarkus.deployment.annotations.BuildStep;
import io.quarkus.deployment.annotations.ExecutionTime;
import io.quarkus.deployment.annotations.Record;
import io.quarkus.resteasy.reactive.server.spi.GlobalHandlerCustomizerBuildItem;
import io.quarkus.resteasy.reactive.server.spi.PreExceptionMapperHandlerBuildItem;
import io.quarkus.resteasy.reactive.spi.ContainerRequestFilterBuildItem;
import io.quarkus.resteasy.reactive.spi.ExceptionMapperBuildItem;
import io.quarkus.vertx.http.deployment.FilterBuildItem;
import io.quarkus.vertx.http.runtime.security.SecurityHandlerPriorities;
import io.weir.InvalidRequestException;
import io.weir.RateLimitExceededException;
import io.weir.quarkus.WeirRecorder;
import io.weir.quarkus.rest.InvalidRequestMapper;
import io.weir.quarkus.rest.RefusalMapper;
import io.weir.quarkus.rest.ResourceHandlers;
import io.weir.quarkus.rest.RestLimits;
import io.weir.quarkus.rest.UserPhase;
import io.weir.quarkus.rest.UserRefusal;
import jakarta.ws.rs.Priorities;
import java.util.Optional;

/** Limits the resources of Quarkus REST. */
class RestProcessor {
  /**
   * Runs after CORS, whose fields a refusal needs, and right before the sign-in of Quarkus
   * Security.
   */
  private static final int BEFORE_SIGN_IN = SecurityHandlerPriorities.AUTHENTICATION + 50;

  @BuildStep
  void beans(Capabilities capabilities, BuildProducer<AdditionalBeanBuildItem> beans) {
    if (hasRest(capabilities)) {
      beans.produce(AdditionalBeanBuildItem.unremovableOf(RestLimits.class));
    }
  }

  @BuildStep
  @Record(ExecutionTime.RUNTIME_INIT)
  Optional<FilterBuildItem> filter(
      WeirRecorder recorder, BeanContainerBuildItem beans, Capabilities capabilities) {
    return hasRest(capabilities)
        ? Optional.of(new FilterBuildItem(recorder.filter(beans.getValue()), BEFORE_SIGN_IN))
        : Optional.empty();
  }

  @BuildStep
  GlobalHandlerCustomizerBuildItem handlers() {
    return new GlobalHandlerCustomizerBuildItem(new ResourceHandlers());
  }

  @BuildStep
  PreExceptionMapperHandlerBuildItem afterExceptions() {
    return new PreExceptionMapperHandlerBuildItem(new ResourceHandlers.Leave());
  }

  @BuildStep
  void filters(BuildProducer<ContainerRequestFilterBuildItem> filters) {
    filters.produce(last(UserPhase.class, Integer.MAX_VALUE - 1));
    filters.produce(last(UserRefusal.class, Integer.MAX_VALUE));
  }

  private static ContainerRequestFilterBuildItem last(Class<?> filter, int priority) {
    return new ContainerRequestFilterBuildItem.Builder(filter.getName())
        .setPriority(priority)
        .build();
  }

  @BuildStep
  void mappers(BuildProducer<ExceptionMapperBuildItem> mappers) {
    mappers.produce(
        new ExceptionMapperBuildItem(
            RefusalMapper.class.getName(),
            RateLimitExceededException.class.getName(),
            Priorities.USER + 1,
            true));
    mappers.produce(
        new ExceptionMapperBuildItem(
            InvalidRequestMapper.class.getName(),
            InvalidRequestException.class.getName(),
            Priorities.USER + 1,
            true));
  }

  private static boolean hasRest(Capabilities capabilities) {
    return capabilities.isPresent(Capability.RESTEASY_REACTIVE);
  }
}
