package io.weir.compat.aspectj;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class InheritanceTest extends WovenTest {
  private final PostOffice office = new PostOffice();
  private final PostOffice branch = new PostOffice.Branch();

  @Test
  void inheritedMethodsAreLimited() {
    branch.stamp();
    assertRefused(branch::stamp);
  }

  @Test
  void defaultMethodsAreLimited() {
    office.bounce();
    assertRefused(office::bounce);
  }

  @Test
  void anOverrideNeedsTheAnnotationItself() {
    assertEquals("weighed twice", branch.weigh());
    assertEquals("weighed twice", branch.weigh());
    office.weigh();
    assertRefused(office::weigh);
  }

  @Test
  void aLimitedOverrideThatCallsSuperTakesOnceFromEachOfTheTwo() {
    branch.queue();
    branch.queue();
    assertEquals("Branch.queue", assertRefused(branch::queue).policy().name());
    assertEquals("PostOffice.queue", assertRefused(office::queue).policy().name());
  }

  @Test
  void aMethodThatTheCompilerRepeatsTakesOnce() {
    PostOffice.Archive archive = new PostOffice.Archive();
    archive.store();
    archive.store();
    assertRefused(archive::store);
  }

  @Test
  void anImplementationNeedsTheAnnotationItself() {
    assertEquals("delivered", office.deliver());
    assertEquals("delivered", office.deliver());
  }

  @Test
  void unlessAnAspectOfTheApplicationNamesTheInterface() {
    Parcels parcels = new Parcels.Depot();
    parcels.pack();
    assertRefused(parcels::pack);
    assertEquals("unpacked", parcels.unpack());
    assertEquals("unpacked", parcels.unpack());
  }
}
