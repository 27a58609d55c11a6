package io.weir.internal.postgres;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import io.weir.test.architecture.Circles;
import io.weir.test.architecture.SharedHabits;
import java.util.List;
import org.junit.jupiter.api.Test;

class ArchitectureTest {
  private static final String ROOT = "io.weir.internal.postgres";

  private static final JavaClasses ALL =
      new ClassFileImporter()
          .withImportOption(new ImportOption.DoNotIncludeTests())
          .importPackages(ROOT);

  @Test
  void noClassesDependOnEachOtherInACircle() {
    assertEquals(List.of(), Circles.inModuleOf(PostgresStore.class));
  }

  @Test
  void timeComesFromATicker() {
    SharedHabits.timeComesFromATicker().check(ALL);
  }

  @Test
  void threadsComeFromDaemonThreads() {
    SharedHabits.threadsComeFromDaemonThreads().check(ALL);
  }
}
