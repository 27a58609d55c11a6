package io.weir.quarkus.deployment;

import io.quarkus.arc.deployment.AdditionalBeanBuildItem;
import io.quarkus.arc.deployment.BeanContainerBuildItem;
import io.quarkus.arc.deployment.UnremovableBeanBuildItem;
import io.quarkus.deployment.Capabilities;
import io.quarkus.deployment.Capability;
import io.quarkus.deployment.annotations.BuildStep;
import io.quarkus.deployment.annotations.ExecutionTime;
import io.quarkus.deployment.annotations.Record;
import io.quarkus.deployment.builditem.FeatureBuildItem;
import io.quarkus.deployment.builditem.ServiceStartBuildItem;
import io.quarkus.deployment.builditem.ShutdownContextBuildItem;
import io.weir.Ticker;
import io.weir.Weir;
import io.weir.adapter.Adapter;
import io.weir.quarkus.WeirBeans;
import io.weir.quarkus.WeirBuilderCustomizer;
import io.weir.quarkus.WeirRecorder;
import io.weir.spi.CostResolver;
import io.weir.spi.DecisionMetrics;
import io.weir.spi.DecisionTracing;
import io.weir.spi.KeyResolver;
import io.weir.spi.LoadSensor;
import io.weir.spi.PeerAddress;
import io.weir.spi.PolicySource;
import io.weir.spi.PolicySourceProvider;
import io.weir.spi.RefusalBody;
import io.weir.spi.RequestCondition;
import io.weir.spi.TierResolver;
import io.weir.spi.UserNames;
import io.weir.store.PermitStore;
import io.weir.store.StoreProvider;
import java.util.List;

/** Gives an application its Weir. */
class WeirProcessor {
  private static final String WEIR = "weir";

  /** The types of beans that nothing but Weir asks for, and that ArC would remove. */
  static final List<Class<?>> PARTS =
      List.of(
          Weir.class,
          Adapter.class,
          WeirBuilderCustomizer.class,
          Ticker.class,
          TierResolver.class,
          LoadSensor.class,
          PeerAddress.class,
          UserNames.class,
          RefusalBody.class,
          DecisionMetrics.class,
          DecisionTracing.class,
          PolicySource.class,
          PolicySourceProvider.class,
          PermitStore.class,
          StoreProvider.class,
          KeyResolver.class,
          CostResolver.class,
          RequestCondition.class);

  @BuildStep
  FeatureBuildItem feature() {
    return new FeatureBuildItem(WEIR);
  }

  @BuildStep
  AdditionalBeanBuildItem beans() {
    return AdditionalBeanBuildItem.unremovableOf(WeirBeans.class);
  }

  @BuildStep
  UnremovableBeanBuildItem parts() {
    return UnremovableBeanBuildItem.beanTypes(PARTS.toArray(Class<?>[]::new));
  }

  @BuildStep
  @Record(ExecutionTime.RUNTIME_INIT)
  ServiceStartBuildItem start(
      WeirRecorder recorder,
      BeanContainerBuildItem beans,
      Capabilities capabilities,
      ShutdownContextBuildItem shutdown) {
    recorder.start(
        beans.getValue(), capabilities.isPresent(Capability.RESTEASY_REACTIVE), shutdown);
    return new ServiceStartBuildItem(WEIR);
  }
}
