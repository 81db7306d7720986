import { readdirSync, readFileSync } from "node:fs";
import { test } from "vitest";
import { substitute, type Scope } from "./index.js";
const root="/work/shared/argo/runs/";
const c={now:0,seed:"s"};
function* files(dir:string):Generator<string>{ for(const e of readdirSync(dir,{withFileTypes:true})){ const p=dir+"/"+e.name; if(e.isDirectory()) yield* files(p); else if(e.name.endsWith(".json")&&!e.name.startsWith("SUMMARY")&&!/rules|actions|controller/.test(e.name)) yield p; } }
function strings(x:any,path:string,out:Map<string,string>){ if(typeof x==="string") out.set(path,x); else if(Array.isArray(x)) x.forEach((v,i)=>strings(v,path+"/"+i,out)); else if(x&&typeof x==="object") for(const k of Object.keys(x)) strings(x[k],path+"/"+k,out); return out; }
test("replay",()=>{
  let good=0,bad=0,skip=0; const seen=new Set<string>();
  for(const f of ["examples","variants","random","hang"].flatMap(d=>[...files(root+d)])){
    const d:any=JSON.parse(readFileSync(f,"utf8")); if(!d.nodes) continue;
    const spec=d.submitted.spec;
    const glob=new Map<string,any>([["workflow.name",d.name],["workflow.namespace","argo"]]);
    for(const p of spec.arguments?.parameters??[]) if(p.value!==undefined) glob.set("workflow.parameters."+p.name,String(p.value));
    glob.set("workflow.parameters.json", JSON.stringify(spec.arguments?.parameters??[]));
    const byName=new Map<string,any>(d.nodes.map((n:any)=>[n.name,n]));
    const tmpl=(n:any)=>spec.templates?.find((t:any)=>t.name===n?.templateName);
    const local=(n:any)=>{const m=new Map(glob); for(const p of n?.inputs?.parameters??[]) if(p.value!==undefined) m.set("inputs.parameters."+p.name,p.value); return m;};
    for(const p of d.pods??[]){
      const n=byName.get(p.metadata.annotations?.["workflows.argoproj.io/node-name"]); const t=tmpl(n); if(!t?.container) continue;
      const main=p.spec.containers.find((x:any)=>x.name==="main"); 
      if(!t.container.command) continue; for(const k of ["args"]) (t.container[k]??[]).forEach((s:string,i:number)=>{ if(typeof s!=="string"||!s.includes("{{")) return;
        const r=substitute(s,local(n) as Scope,{mode:"allow-unresolved",context:c}); const got=r.ok?r.value:"ERR "+r.error.message; const want=main?.[k]?.[i];
        if(got===want) good++; else if(got.includes("{{")) skip++; else {bad++; const key=s+got; if(!seen.has(key)&&seen.size<60){seen.add(key);console.log(f.slice(root.length),n.name,"\n  src ",JSON.stringify(s),"\n  ours",JSON.stringify(got),"\n  argo",JSON.stringify(want));}}
      });
    }
    for(const n of d.nodes){
      const b=byName.get(n.boundaryName); const t=tmpl(b); if(!t||n.type==="TaskGroup"||n.type==="StepGroup"||n.type==="Retry"&&false) continue;
      const kind=t.dag?"tasks":"steps"; const all=(t.dag?.tasks??(t.steps??[]).flat());
      const base=n.displayName.replace(/\(.*$/s,""); const s=all.find((x:any)=>x.name===base); if(!s) continue;
      const sc=local(b);
      for(const sib of d.nodes) if(sib.boundaryName===n.boundaryName&&!sib.nodeFlag&&!/\(/.test(sib.displayName)){ const pre=`${kind}.${sib.displayName}.`; if(sib.phase)sc.set(pre+"status",sib.phase); if(sib.podIP) sc.set(pre+"ip",sib.podIP); if(sib.outputs?.result!==undefined) sc.set(pre+"outputs.result",sib.outputs.result); if(sib.outputs?.exitCode!==undefined) sc.set(pre+"exitCode",sib.outputs.exitCode); for(const p of sib.outputs?.parameters??[]) if(p.value!==undefined) sc.set(pre+"outputs.parameters."+p.name,p.value); }
      const idx=/\((\d+):/.exec(n.displayName); let items=s.withItems; if(s.withParam){ const r=substitute(s.withParam,sc as Scope,{mode:"allow-unresolved",context:c}); try{ items=JSON.parse((r as any).value);}catch{ items=undefined;} }
      if(idx){ if(!items) continue; const it=items[+idx[1]!]; if(it&&typeof it==="object"){ sc.set("item",JSON.stringify(it)); if(!Array.isArray(it)) for(const k of Object.keys(it)) sc.set("item."+k,typeof it[k]==="string"?it[k]:JSON.stringify(it[k])); } else sc.set("item",typeof it==="string"?it:JSON.stringify(it)); }
      for(const p of s.arguments?.parameters??[]){ if(typeof p.value!=="string"||!p.value.includes("{{")) continue; const want=n.inputs?.parameters?.find((x:any)=>x.name===p.name)?.value; if(want===undefined){skip++;continue;}
        const r=substitute(p.value,sc as Scope,{mode:"allow-unresolved",context:c}); const got=r.ok?r.value:"ERR "+r.error.message;
        if(got===want) good++; else if(got.includes("{{")) skip++; else {bad++; const key=p.value+got; if(!seen.has(key)&&seen.size<90){seen.add(key);console.log(f.slice(root.length),n.name,"\n  src ",JSON.stringify(p.value),"\n  ours",JSON.stringify(got),"\n  argo",JSON.stringify(want), [...sc].filter(([k])=>p.value.includes(k.split(".").pop()!)&&k!=="workflow.name").slice(0,4));}}
      }
    }
  }
  console.log({good,bad,skip});
});
