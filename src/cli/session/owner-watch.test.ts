import { expect, test } from "vitest";
import { FakePlaces } from "../fakes/places.js";
import { watchOwner } from "./owner-watch.js";

test("a look that fails ends nothing, and a later one tells that the owner is gone", async () => {
  const host = new FakePlaces();
  let looks = 0;
  host.ownership = () => {
    looks += 1;
    if (looks === 1) return Promise.reject(new Error("EMFILE: too many open files"));
    return Promise.resolve(looks === 2 ? "owned" : "free");
  };
  const ports = { places: () => Promise.resolve(host) };
  const { observer, gone } = watchOwner({ ports }, { folder: "/place", role: "peer" });
  for (let failure = 0; failure < 3; failure++) observer.failed?.(new Error("read ECONNRESET"), 100);
  await gone;
  expect(looks).toBe(3);
});
