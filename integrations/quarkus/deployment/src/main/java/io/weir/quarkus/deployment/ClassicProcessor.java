package io.weir.quarkus.deployment;

import io.quarkus.arc.deployment.AdditionalBeanBuildItem;
import io.quarkus.arc.deployment.BeanContainerBuildItem;
import io.quarkus.deployment.Capabilities;
import io.quarkus.deployment.Capability;
import io.quarkus.deployment.annotations.BuildProducer;
import io.quarkus.deployment.annotations.BuildStep;
import io.quarkus.deployment.annotations.ExecutionTime;
import io.quarkus.deployment.annotations.Record;
import io.quarkus.deployment.builditem.CombinedIndexBuildItem;
import io.quarkus.resteasy.common.spi.ResteasyJaxrsProviderBuildItem;
import io.quarkus.vertx.http.deployment.HttpRootPathBuildItem;
import io.weir.quarkus.WeirRecorder;
import io.weir.quarkus.rest.ClassicFeature;
import io.weir.quarkus.rest.ClassicInvalidRequestMapper;
import io.weir.quarkus.rest.ClassicLimits;
import io.weir.quarkus.rest.ClassicRefusalMapper;
import jakarta.ws.rs.ApplicationPath;
import jakarta.ws.rs.core.Application;
import java.util.Optional;
import java.util.stream.Stream;
import org.eclipse.microprofile.config.Config;
import org.eclipse.microprofile.config.ConfigProvider;
import org.jboss.jandex.IndexView;

/** Limits the resources of RESTEasy Classic. */
class ClassicProcessor {
  @BuildStep
  void beans(Capabilities capabilities, BuildProducer<AdditionalBeanBuildItem> beans) {
    if (hasClassic(capabilities)) {
      beans.produce(AdditionalBeanBuildItem.unremovableOf(ClassicLimits.class));
    }
  }

  @BuildStep
  void providers(
      Capabilities capabilities, BuildProducer<ResteasyJaxrsProviderBuildItem> providers) {
    if (hasClassic(capabilities)) {
      Stream.of(ClassicFeature.class, ClassicRefusalMapper.class, ClassicInvalidRequestMapper.class)
          .forEach(each -> providers.produce(new ResteasyJaxrsProviderBuildItem(each.getName())));
    }
  }

  @BuildStep
  @Record(ExecutionTime.RUNTIME_INIT)
  void path(
      WeirRecorder recorder,
      BeanContainerBuildItem beans,
      Capabilities capabilities,
      CombinedIndexBuildItem index,
      HttpRootPathBuildItem root) {
    if (hasClassic(capabilities)) {
      recorder.serveBelow(beans.getValue(), root.relativePath(path(index.getIndex())));
    }
  }

  /** Finds the path of all resources as RESTEasy Classic does. */
  private static String path(IndexView index) {
    Config config = ConfigProvider.getConfig();
    Optional<String> ofApplication =
        config
                .getOptionalValue("quarkus.resteasy.ignore-application-classes", Boolean.class)
                .orElse(false)
            ? Optional.empty()
            : index.getAllKnownSubclasses(Application.class).stream()
                .filter(each -> !each.isAbstract())
                .flatMap(each -> Stream.ofNullable(each.annotation(ApplicationPath.class)))
                .map(each -> each.value().asString())
                .findFirst();
    return ofApplication
        .or(() -> config.getOptionalValue("quarkus.resteasy.path", String.class))
        .orElse("/");
  }

  private static boolean hasClassic(Capabilities capabilities) {
    return capabilities.isPresent(Capability.RESTEASY);
  }
}
