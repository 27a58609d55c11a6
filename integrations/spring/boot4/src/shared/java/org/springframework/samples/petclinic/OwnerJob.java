package org.springframework.samples.petclinic;

/** Calls a controller directly. */
public class OwnerJob {
  private final OwnerController owners;

  OwnerJob(OwnerController owners) {
    this.owners = owners;
  }

  /** Calls it once. */
  public void run() {
    owners.all();
  }
}
