package io.weir.quarkus.deployment;

import io.quarkus.arc.deployment.AdditionalBeanBuildItem;
import io.quarkus.deployment.Capabilities;
import io.quarkus.deployment.Capability;
import io.quarkus.deployment.annotations.BuildProducer;
import io.quarkus.deployment.annotations.BuildStep;
import io.quarkus.resteasy.reactive.server.spi.GlobalHandlerCustomizerBuildItem;
import io.quarkus.resteasy.reactive.server.spi.PreExceptionMapperHandlerBuildItem;
import io.quarkus.resteasy.reactive.spi.ContainerRequestFilterBuildItem;
import io.quarkus.resteasy.reactive.spi.ExceptionMapperBuildItem;
import io.weir.InvalidRequestException;
import io.weir.RateLimitExceededException;
import io.weir.quarkus.rest.InvalidRequestMapper;
import io.weir.quarkus.rest.RefusalMapper;
import io.weir.quarkus.rest.ResourceHandlers;
import io.weir.quarkus.rest.RestLimits;
import io.weir.quarkus.rest.UserPhase;
import io.weir.quarkus.rest.UserRefusal;
import jakarta.ws.rs.Priorities;

/** Limits the resources of Quarkus REST. */
class RestProcessor {
  @BuildStep
  void beans(Capabilities capabilities, BuildProducer<AdditionalBeanBuildItem> beans) {
    if (capabilities.isPresent(Capability.RESTEASY_REACTIVE)) {
      beans.produce(AdditionalBeanBuildItem.unremovableOf(RestLimits.class));
    }
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
}
