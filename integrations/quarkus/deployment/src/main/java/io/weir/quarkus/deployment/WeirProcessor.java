package io.weir.quarkus.deployment;

import io.quarkus.agroal.spi.JdbcDataSourceSchemaReadyBuildItem;
import io.quarkus.arc.deployment.AdditionalBeanBuildItem;
import io.quarkus.arc.deployment.BeanContainerBuildItem;
import io.quarkus.arc.deployment.SyntheticBeansRuntimeInitBuildItem;
import io.quarkus.arc.deployment.UnremovableBeanBuildItem;
import io.quarkus.deployment.annotations.BuildStep;
import io.quarkus.deployment.annotations.Consume;
import io.quarkus.deployment.annotations.ExecutionTime;
import io.quarkus.deployment.annotations.Record;
import io.quarkus.deployment.builditem.FeatureBuildItem;
import io.quarkus.deployment.builditem.ServiceStartBuildItem;
import io.quarkus.deployment.builditem.ShutdownContextBuildItem;
import io.weir.Weir;
import io.weir.adapter.Adapter;
import io.weir.adapter.WeirParts;
import io.weir.quarkus.WeirBeans;
import io.weir.quarkus.WeirBuilderCustomizer;
import io.weir.quarkus.WeirRecorder;
import java.util.stream.Stream;

/** Gives an application its Weir. */
class WeirProcessor {
  private static final String WEIR = "weir";

  @BuildStep
  FeatureBuildItem feature() {
    return new FeatureBuildItem(WEIR);
  }

  @BuildStep
  AdditionalBeanBuildItem beans() {
    return AdditionalBeanBuildItem.unremovableOf(WeirBeans.class);
  }

  /** Keeps beans that nothing but Weir asks for, and that ArC would remove. */
  @BuildStep
  UnremovableBeanBuildItem parts() {
    return UnremovableBeanBuildItem.beanTypes(
        Stream.concat(
                Stream.of(Weir.class, Adapter.class, WeirBuilderCustomizer.class),
                WeirParts.types().stream())
            .toArray(Class<?>[]::new));
  }

  @BuildStep
  @Record(ExecutionTime.RUNTIME_INIT)
  @Consume(SyntheticBeansRuntimeInitBuildItem.class) // parts may be, such as datasources
  @Consume(JdbcDataSourceSchemaReadyBuildItem.class) // Flyway expects an empty database
  ServiceStartBuildItem start(
      WeirRecorder recorder, BeanContainerBuildItem beans, ShutdownContextBuildItem shutdown) {
    recorder.start(beans.getValue(), shutdown);
    return new ServiceStartBuildItem(WEIR);
  }
}
