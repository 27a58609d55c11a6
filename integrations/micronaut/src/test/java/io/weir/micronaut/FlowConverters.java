package io.weir.micronaut;

import io.micronaut.context.annotation.Requires;
import io.micronaut.core.convert.MutableConversionService;
import io.micronaut.core.convert.TypeConverterRegistrar;
import jakarta.inject.Singleton;
import kotlinx.coroutines.flow.Flow;
import kotlinx.coroutines.reactive.ReactiveFlowKt;
import org.reactivestreams.Publisher;

/** Converts flows, as Micronaut's module for Kotlin does. */
@Requires(property = "test.shop")
@Singleton
final class FlowConverters implements TypeConverterRegistrar {
  @Override
  public void register(MutableConversionService conversion) {
    conversion.addConverter(
        Flow.class, Publisher.class, each -> ReactiveFlowKt.asPublisher((Flow<?>) each));
    conversion.addConverter(
        Publisher.class, Flow.class, each -> ReactiveFlowKt.asFlow((Publisher<?>) each));
  }
}
